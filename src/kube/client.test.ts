import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { Secret } from '../pure/kind.ts'
import { createClient } from './client.ts'
import type { WireReply } from './port.ts'

const key = { namespace: 'a', name: 'n' }
const clientAnswered = (reply: WireReply) =>
  createClient(
    scriptedPort(() => reply),
    new AbortController().signal,
  )

test('what the API server says is not found is absent', async () => {
  const client = clientAnswered(replyWith(404, { kind: 'Status', reason: 'NotFound' }))
  expect(await client.get(Secret, key)).toBeUndefined()
})

test('a 404 of some proxy is no word on what there is', async () => {
  const client = clientAnswered(replyWith(404, '<html>404 page not found</html>'))
  await expect(client.get(Secret, key)).rejects.toMatchObject({ class: 'unreachable' })
  await expect(client.delete(Secret, key, 'uid')).rejects.toMatchObject({ class: 'ambiguous' })
})

test('an answer that is cut in the middle is not quoted', async () => {
  const client = clientAnswered(replyWith(200, '{"data":{"seed.hex":MDEyMzQ1'))
  await expect(client.get(Secret, key)).rejects.toMatchObject({
    class: 'unreachable',
    message: 'cannot get Secret a/n: the answer is no JSON object',
  })
  await expect(client.create(Secret, { metadata: key }, 'm')).rejects.toMatchObject({ class: 'ambiguous' })
})

test('what is no list is not taken for an empty one', async () => {
  const client = createClient(
    scriptedPort(() => replyWith(200, {})),
    new AbortController().signal,
  )
  await expect(client.list(Secret, {})).rejects.toThrow('cannot list Secrets: the answer is no list')
})
