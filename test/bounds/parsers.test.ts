import { expect, test } from 'vitest'
import { spec as agentSpec } from '../../src/api/ledgerclusteragent-schema.ts'
import { structuralSchemaOf } from '../../src/api/structural.ts'
import { namespaceName } from '../../src/cli/namespace-name.ts'
import { setPath } from '../../src/cli/ledger/set-path.ts'
import { faultsOf } from '../../src/controllers/ledgerservice/validate.ts'
import { raftPortOf } from '../../src/controllers/ledgerservice/render/ports.ts'
import { errorOfReply, parseReply } from '../../src/kube/api-error.ts'
import { isToken } from '../../src/kube/credential-files.ts'
import { parseExecCredential } from '../../src/kube/exec-credential.ts'
import { isHeaderValue } from '../../src/kube/impersonation.ts'
import { linesOf } from '../../src/kube/lines.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { spanOf } from '../../src/pure/duration.ts'
import { generationOf } from '../../src/pure/generation.ts'
import { isKeyListOf, keysListedIn, readKeyList } from '../../src/pure/key-list.ts'
import { revisionIn } from '../../src/pure/key-rollout.ts'
import { isLike } from '../../src/pure/likeness.ts'
import { pathsToRegain } from '../../src/pure/in-sync.ts'
import type { FieldSet } from '../../src/pure/object.ts'
import { ownedPartOf } from '../../src/pure/owned-part.ts'
import { Secret } from '../../src/pure/kind.ts'
import { matcherOf } from '../../src/pure/label-selector.ts'
import { whoHolds } from '../../src/pure/lease.ts'
import {
  agentNames,
  currentSinceAnnotation,
  generationAnnotation,
  keysRevisionAnnotation,
  lineageAnnotation,
  revokeAnnotation,
  revokedKeysAnnotation,
  serviceNames,
} from '../../src/pure/names.ts'
import { amountOf, isSameQuantity } from '../../src/pure/quantity.ts'
import { revocationsOf } from '../../src/pure/revocations.ts'
import { aService } from '../kit/rendered-service.ts'
import { bestTimeOf } from './best-time.ts'

const size = 1_000_000

const filled = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
/** As much as Linux takes for one argument of a program. */
const argument = (piece: string): string => filled(piece).slice(0, 131_072)
/** As much as Kubernetes takes for the annotations of an object. */
const annotation = (piece: string): string => filled(piece).slice(0, 262_144)
const meta = { uid: 'u', resourceVersion: '1' }
const agentWith = (annotation: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...meta, name: 'biller', annotations: { [annotation]: value } },
})
const generationWith = (annotation: string, value: string) => () =>
  generationOf('biller', { ...meta, name: agentNames.canonical('biller'), annotations: { [annotation]: value } })
const asked = { verb: 'get', kind: Secret } as const
const reply = (body: string) => ({ status: 422, retryAfter: undefined, body })
const schema = structuralSchemaOf(agentSpec)
const hex = 'ab'.repeat(32)
const env = Array.from({ length: 10_000 }, (_, n) => ({ name: `A${n}`, value: 'b' }))
const ownedItems: FieldSet = Object.fromEntries(
  env.map(({ name }) => [`k:${JSON.stringify({ name })}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
)
const map = Object.fromEntries(env.map(({ name, value }) => [name, value]))
const liveWith = (spec: object, owned: FieldSet) => {
  const entry = { manager: 'us', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' } as const
  const managedFields = [{ ...entry, fieldsV1: { 'f:spec': owned } }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...meta, name: 'a', managedFields }, spec }
}
const liveList = liveWith({ env }, { 'f:env': ownedItems })
const liveMap = liveWith(map, Object.fromEntries(env.map(({ name }) => [`f:${name}`, {}])))
const refused = (run: () => unknown) => () => {
  try {
    run()
  } catch {
    // What is refused is refused in time.
  }
}

/** Every parser of text from outside, with the input that costs it most. A new parser is a new row. */
const parsers: readonly (readonly [parser: string, run: () => unknown])[] = [
  ['quantity: digits and an exponent with a fraction', () => amountOf(`${'1'.repeat(size)}e1.5`)],
  ['quantity: digits', () => amountOf(filled('1'))],
  ['quantity: a fraction', () => isSameQuantity(`.${filled('1')}`, `1.${filled('0')}`)],
  ['quantity: an exponent', () => amountOf(`1e${filled('9')}`)],
  ['duration: digits', () => spanOf(filled('1'))],
  ['duration: many parts', () => spanOf(filled('1s'))],
  ['duration: many parts, then none', () => spanOf(`${filled('1s')}x`)],
  ['label selector: a key of slashes', () => matcherOf({ matchLabels: { [filled('a/')]: 'a' } })],
  ['label selector: a domain of dots', () => matcherOf({ matchLabels: { [`${filled('a.')}/a`]: 'a' } })],
  ['label selector: a domain of dashes', () => matcherOf({ matchLabels: { [`${filled('a-')}/a`]: 'a' } })],
  ['label selector: a long value', () => matcherOf({ matchLabels: { a: filled('a-') } })],
  [
    'label selector: many keys',
    () => matcherOf({ matchExpressions: Array(20_000).fill({ key: 'a', operator: 'Exists' }) }),
  ],
  ['name of an agent’s Secret: canonical', () => agentNames.ofSecret(`ledger-${filled('-agent-canonical-1')}x`)],
  ['name of an agent’s Secret: keys', () => agentNames.ofSecret(`ledger-${filled('-agent-keys')}x`)],
  ['name of a generation', () => agentNames.generationNumber('a', `${agentNames.canonical('a')}-${filled('1')}x`)],
  ['name of a workload', () => serviceNames.ofWorkload(`ledger-${filled('ledger-')}`)],
  ['name of a key list', () => serviceNames.ofKeyList(`ledger-${filled('-auth-keys')}x`)],
  ['name of a public key’s file', () => serviceNames.ofPublicKeyFile(`agent-${filled('-pubkey.hex')}x`)],
  ['namespace flag', refused(() => namespaceName(filled('a-')))],
  ['revocations: commas', () => revocationsOf(agentWith(revokeAnnotation, annotation(',')))],
  ['revocations: blanks', () => revocationsOf(agentWith(revokeAnnotation, annotation(' ')))],
  ['revocations: short ids', () => revocationsOf(agentWith(revokeAnnotation, annotation('a,')))],
  ['revocations: ids', () => revocationsOf(agentWith(revokeAnnotation, annotation('0123456789abcdef,')))],
  ['generation: number', generationWith(generationAnnotation, filled('1'))],
  ['generation: time', generationWith(currentSinceAnnotation, filled('2026-01-01T00:00:00Z'))],
  ['generation: time of blanks', generationWith(currentSinceAnnotation, filled(' '))],
  ['generation: time of brackets', generationWith(currentSinceAnnotation, filled('('))],
  ['generation: revoked keys of brackets', generationWith(revokedKeysAnnotation, filled('['))],
  ['generation: many revoked keys', generationWith(revokedKeysAnnotation, `[${filled('{"keyId":"a"},')}{}]`)],
  [
    'generation: as many revoked keys as are read',
    generationWith(revokedKeysAnnotation, `[${filled('{"keyId":"a"},').slice(0, 65_518)}{}]`),
  ],
  ['generation: lineage of brackets', generationWith(lineageAnnotation, filled('['))],
  [
    'generation: lineage',
    generationWith(
      lineageAnnotation,
      `[${filled('{"keyId":"a"},')
        .slice(0, -1)
        .replace(/,?[^}]*$/, '')}]`,
    ),
  ],
  ['revision of a key list', () => revisionIn({ [keysRevisionAnnotation]: filled('9') })],
  [
    'lease',
    () =>
      whoHolds(
        { ...agentWith('a', 'b'), spec: { holderIdentity: 'a', leaseDurationSeconds: 1, renewTime: filled('1 ') } },
        { identity: 'b', duration: 1 as never },
      ),
  ],
  ['agent key: a long seed', () => digestAgentKey({ 'seed.hex': filled('YWJh') })],
  ['agent key: no base64', () => digestAgentKey({ 'seed.hex': filled('=') })],
  ['key list: brackets', () => readKeyList({ 'auth-keys.json': filled('[') })],
  [
    'key list: many keys',
    () =>
      isKeyListOf([], {
        'auth-keys.json': `{"keys":[${'{"keyId":"a","publicKeyFile":"/auth-keys/a"},'.repeat(20_000).slice(0, -1)}]}`,
      }),
  ],
  [
    'key list: files',
    () => keysListedIn(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`agent-${n}-pubkey.hex`, hex]))),
  ],
  ['key list: one long file', () => keysListedIn({ 'agent-a-pubkey.hex': filled(' a') })],
  [
    'managed fields: items of a list',
    () => pathsToRegain(liveList, { metadata: { namespace: 'a', name: 'a' }, spec: { env } }, 'us'),
  ],
  ['managed fields: what is owned of a list', () => ownedPartOf(env, ownedItems)],
  [
    'managed fields: fields of a map',
    () => pathsToRegain(liveMap, { metadata: { namespace: 'a', name: 'a' }, spec: map }, 'us'),
  ],
  ['likeness of a list', () => isLike(env, structuredClone(env), new Set())],
  ['address of a port', () => raftPortOf(filled(':1'))],
  ['address of a port: digits', () => raftPortOf(`:${filled('1')}`)],
  [
    'folders: slashes',
    () => faultsOf({ ...aService(), spec: { ...aService().spec, walDir: filled('/'), dataDir: `${filled('a/')}b` } }),
  ],
  ['status of the API server: brackets', () => errorOfReply(asked, reply(filled('[')))],
  [
    'status of the API server: causes',
    () => errorOfReply(asked, reply(`{"details":{"causes":[${'{"field":"a"},'.repeat(60_000).slice(0, -1)}]}}`)),
  ],
  ['answer of the API server', refused(() => parseReply(asked, reply(filled('{"a":'))))],
  ['credential plugin: brackets', () => parseExecCredential(filled('{"a":'), 'v1')],
  [
    'credential plugin: an expiry',
    () =>
      parseExecCredential(
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'ExecCredential',
          status: { token: 'a', expirationTimestamp: filled('2026-01-01T00:00:00') },
        }),
        'v1',
      ),
  ],
  ['token', () => isToken(`${filled('a')} `)],
  ['header of an impersonated user', () => isHeaderValue(`${filled('a ')}\t`)],
  ['--set: a path of dots', refused(() => setPath(schema, {}, `${argument('a.')}=b`))],
  ['--set: a path of backslashes', refused(() => setPath(schema, {}, `${argument('\\a')}=b`))],
  ['--set: a list of commas', () => setPath(schema, {}, `scopes=${argument(',')}`)],
  ['--set: a list of backslashes', () => setPath(schema, {}, `scopes=${argument('\\,')}`)],
]

// What the platform's own parser takes for as much is the measure on a slow machine; it is not slowed down by the
// measuring of coverage, and ours are. One that backtracks takes minutes.
const longest = Math.max(50, 8 * (await bestTimeOf(refused(() => JSON.parse(filled('['))))))

test.each(parsers)('1 MB is read within 50 ms: %s', async (_, run) => {
  expect(await bestTimeOf(run)).toBeLessThan(longest)
})

test.each([
  ['in one piece', [Buffer.from(filled('a'))]],
  ['in many pieces', Array.from({ length: 1000 }, () => Buffer.alloc(1000, 'a'))],
  ['of a thousand bytes', [Buffer.from(filled(`${'a'.repeat(999)}\n`))]],
])('1 MB is read within 50 ms: lines of a watch %s', async (_, chunks) => {
  const run = async () => {
    const body = async function* () {
      yield* chunks
    }
    for await (const line of linesOf(body(), (text) => text)) void line
  }
  expect(await bestTimeOf(run)).toBeLessThan(longest)
})
