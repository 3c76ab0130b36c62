import type { Verdict } from './sweep.ts'

/** Scenario × fault: how many plans were run, and how many of them were red. */
export const printTable = (verdicts: readonly Verdict[]): string => {
  const scenarios = [...new Set(verdicts.map(({ plan }) => plan.scenario.name))]
  const faults = [...new Set(verdicts.map(({ plan }) => plan.fault))]
  const cell = (isIn: (verdict: Verdict) => boolean): string => {
    const plans = verdicts.filter(isIn)
    return `${plans.length} / ${plans.filter((verdict) => verdict.faults.length > 0).length}`
  }
  const row = (title: string, cells: readonly string[]) =>
    [title.padEnd(36), ...cells.map((text) => text.padStart(8))].join('')
  return [
    'plans / red',
    row(
      '',
      scenarios.map((_, n) => `(${n + 1})`),
    ),
    ...faults.map((fault) =>
      row(
        fault,
        scenarios.map((name) => cell(({ plan }) => plan.fault === fault && plan.scenario.name === name)),
      ),
    ),
    row(
      'all',
      scenarios.map((name) => cell(({ plan }) => plan.scenario.name === name)),
    ),
    ...scenarios.map((name, n) => `(${n + 1}) ${name}`),
    `in all: ${cell(() => true)}`,
    ...lateAnswersIn(verdicts),
  ].join('\n')
}

const lateAnswersIn = (verdicts: readonly Verdict[]): readonly string[] => {
  const answers = verdicts.flatMap(({ late }) => (late === undefined ? [] : [`${late.write}: ${late.answer}`]))
  return [...new Set(answers)]
    .sort()
    .map((answer) => `late ${answer}, ${answers.filter((other) => other === answer).length} times`)
}
