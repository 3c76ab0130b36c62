import type { Duration } from './duration.ts'

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
] as const

/** How long something has been there, in its largest unit: 12s, 5m, 3h, 40d. */
export const printAge = (age: Duration): string => {
  const seconds = Math.max(0, Math.floor(age / 1000))
  const unit = units.find((candidate) => seconds >= candidate.seconds) ?? units[3]
  return `${Math.floor(seconds / unit.seconds)}${unit.name}`
}
