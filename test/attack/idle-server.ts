import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** A server that does nothing else than answer: what an answer of it takes is the machine's part. */
const server = createServer((_, response) => response.setHeader('connection', 'close').end('ok\n'))
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
