import { type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'

/** I8 within one object: what somebody wrote beside ours stays, as nobody here ever takes it back. */
export const foreignMarksLost = (before: KubeObject | undefined, after: KubeObject): string[] => {
  if (before?.metadata.uid !== after.metadata.uid) return []
  const marks = Object.entries(before.metadata.annotations ?? {}).filter(([name]) => name.startsWith('example.com/'))
  return marks.flatMap(([name, value]) =>
    after.metadata.annotations?.[name] === value
      ? []
      : [`I8 ${printKey(keyOf(after))} has lost the annotation ${name}`],
  )
}
