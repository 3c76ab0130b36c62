import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { createClient } from '../kube/client.ts'
import { SecretValues } from './secret-values.ts'

test('what a ConfigMap says is sent as it is, and nothing is read for it', async () => {
  const port = scriptedPort(() => replyWith(500, ''))
  const values = new SecretValues(createClient(port, new AbortController().signal))
  const configMap = { metadata: { namespace: 'a', name: 'c' }, data: { 'app.conf': 'debug = true' } }
  expect(await values.fill(configMap)).toEqual(configMap)
})
