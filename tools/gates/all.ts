import type { Gate } from '../check/gate.ts'
import { clones } from './clones.ts'
import { deadCode, testOnlyCode } from './dead-code.ts'
import { format } from './format.ts'
import { generated } from './generated.ts'
import { layers } from './layers.ts'
import { lint } from './lint.ts'
import { lockfile } from './lockfile.ts'
import { names } from './names.ts'
import { rules } from './rules.ts'
import { typecheck } from './typecheck.ts'
import { words } from './words.ts'

/** The slow ones first, so that two workers end together. */
export const gates: readonly Gate[] = [
  lint,
  typecheck,
  layers,
  deadCode,
  testOnlyCode,
  generated,
  clones,
  format,
  rules,
  names,
  lockfile,
  words,
]
