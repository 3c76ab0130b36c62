import type { CompleteService } from '../defaults.ts'

const usualRaftPort = 7777

/** The port of an address such as 0.0.0.0:7777 or [::]:7777. */
export const raftPortOf = (bindAddr: string): number => {
  const port = Number(/:(\d{1,5})$/.exec(bindAddr)?.[1])
  return port > 0 && port < 65_536 ? port : usualRaftPort
}

// A list of ports is keyed by port and protocol: without the protocol nobody could tell which entry is ours.
const protocol = 'TCP'

export const renderContainerPorts = ({ spec: { httpPort, grpcPort, bindAddr } }: CompleteService) => [
  { name: 'http', containerPort: httpPort, protocol },
  { name: 'grpc', containerPort: grpcPort, protocol },
  { name: 'raft', containerPort: raftPortOf(bindAddr), protocol },
]

type PortName = 'http' | 'grpc' | 'raft'

/** Ports of a Service, each of which leads to the container's port of the same name. */
export const renderServicePorts = ({ spec: { service } }: CompleteService, names: readonly PortName[]) => {
  const ports = { http: service?.httpPort ?? 9000, grpc: service?.grpcPort ?? 8888, raft: service?.raftPort ?? 7777 }
  return names.map((name) => ({ name, port: ports[name], protocol, targetPort: name }))
}
