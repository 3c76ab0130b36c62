/** What a controller has to say on one aspect of its object; the writer adds generation and time. */
export interface ConditionWish {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export interface Condition extends ConditionWish {
  readonly observedGeneration?: number | undefined
  readonly lastTransitionTime: string
}

/** The wishes as conditions. The transition time moves only when the status does. */
export const conditionsOf = (
  wishes: readonly ConditionWish[],
  previous: readonly Condition[],
  { generation, now }: { readonly generation: number; readonly now: string },
): readonly Condition[] =>
  wishes.map((wish) => {
    const before = previous.find(({ type }) => type === wish.type)
    const lastTransitionTime = before?.status === wish.status ? before.lastTransitionTime : now
    return { ...wish, observedGeneration: generation, lastTransitionTime }
  })
