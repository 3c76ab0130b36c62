import { join } from 'node:path'

export interface Ports {
  readonly etcd: number
  readonly etcdPeer: number
  readonly apiServer: number
}

/** Every file below a control plane's directory that a program is pointed at. */
export const filesIn = (directory: string) => ({
  etcdData: join(directory, 'etcd'),
  authority: join(directory, 'ca.crt'),
  servingCertificate: join(directory, 'apiserver.crt'),
  servingKey: join(directory, 'apiserver.key'),
  signingKey: join(directory, 'service-account.key'),
  verifyingKey: join(directory, 'service-account.pub'),
  kubeconfig: join(directory, 'kubeconfig'),
  log: (program: string) => join(directory, `${program}.log`),
})

export type Files = ReturnType<typeof filesIn>

export const etcdFlags = (files: Files, ports: Ports): readonly string[] => {
  const client = `http://127.0.0.1:${ports.etcd}`
  const peer = `http://127.0.0.1:${ports.etcdPeer}`
  return [
    '--name=default',
    `--data-dir=${files.etcdData}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]
}

export const apiServerFlags = (files: Files, ports: Ports, hasControllerManager: boolean): readonly string[] => [
  `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
  // Compaction would turn an old resourceVersion into 410 Gone in the middle of a test.
  '--etcd-compaction-interval=0',
  '--watch-cache',
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  `--secure-port=${ports.apiServer}`,
  // A loopback address may not be published as an endpoint of the `kubernetes` service.
  '--endpoint-reconciler-type=none',
  '--service-cluster-ip-range=10.0.0.0/24',
  '--authorization-mode=RBAC',
  '--allow-privileged',
  `--client-ca-file=${files.authority}`,
  `--tls-cert-file=${files.servingCertificate}`,
  `--tls-private-key-file=${files.servingKey}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-signing-key-file=${files.signingKey}`,
  `--service-account-key-file=${files.verifyingKey}`,
  '--max-requests-inflight=3000',
  '--max-mutating-requests-inflight=1500',
  '--event-ttl=1h',
  // Nobody makes default service accounts then, and every pod would be refused for want of one.
  ...(hasControllerManager ? [] : ['--disable-admission-plugins=ServiceAccount']),
]

const controllers = [
  'deployment-controller',
  'garbage-collector-controller',
  'job-controller',
  'namespace-controller',
  // The API server puts a finalizer on every claim, which only this one takes off again.
  'persistentvolumeclaim-protection-controller',
  'replicaset-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'statefulset-controller',
]

export const controllerManagerFlags = (files: Files): readonly string[] => [
  `--kubeconfig=${files.kubeconfig}`,
  `--controllers=${controllers.join(',')}`,
  `--root-ca-file=${files.authority}`,
  `--service-account-private-key-file=${files.signingKey}`,
  '--use-service-account-credentials=false',
  '--leader-elect=false',
  '--secure-port=0',
  '--kube-api-qps=1000',
  '--kube-api-burst=2000',
]
