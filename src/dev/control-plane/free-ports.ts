import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Loopback ports that nobody listens on, all different. Another process may take one before it is used: whoever
 * starts a program with it has to try again with others.
 */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
