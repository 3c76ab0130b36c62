import type { Probe } from '../../../api/ledgerservice/kubernetes.ts'
import type { CompleteService } from '../defaults.ts'

const get = (path: string) => ({ httpGet: { path, port: 'http' } })

const liveness: Probe = { ...get('/livez'), initialDelaySeconds: 15, periodSeconds: 10, failureThreshold: 3 }
const readiness: Probe = { ...get('/readyz'), initialDelaySeconds: 5, periodSeconds: 5, failureThreshold: 3 }
/** Five minutes: a large database takes its time to warm up, and a restart would begin it anew. */
const startup: Probe = { ...get('/livez'), periodSeconds: 10, failureThreshold: 30 }

export const renderProbes = ({ spec }: CompleteService) => ({
  livenessProbe: merged(liveness, spec.livenessProbe),
  readinessProbe: merged(readiness, spec.readinessProbe),
  startupProbe: merged(startup, spec.startupProbe),
})

/** Fields of the user's replace ours. A probe asks in one way only, so another way replaces ours too. */
const merged = ({ httpGet, ...rest }: Probe, asked: Probe = {}): Probe => {
  const asksOtherwise = [asked.httpGet, asked.tcpSocket, asked.exec, asked.grpc].some((way) => way !== undefined)
  return { ...(asksOtherwise ? {} : { httpGet }), ...rest, ...withoutZeros(asked) }
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const satisfies readonly (keyof Probe)[]

/** A zero says nothing, neither to Kubernetes nor to the former operator. */
const withoutZeros = (probe: Probe): Probe => {
  const zeros: readonly string[] = counts.filter((count) => probe[count] === 0)
  return Object.fromEntries(Object.entries(probe).filter(([field]) => !zeros.includes(field)))
}
