/** What we look into of Kubernetes' own types; the rest is handed on as it is. */

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: object
}

export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string | number>>
  readonly requests?: Readonly<Record<string, string | number>>
}

export interface Probe {
  readonly httpGet?: object
  readonly tcpSocket?: object
  readonly exec?: object
  readonly grpc?: object
  readonly [field: string]: unknown
}

export interface Affinity {
  readonly podAntiAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly object[]
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly object[]
  }
  readonly [field: string]: unknown
}

export interface TopologySpreadConstraint {
  readonly labelSelector?: object
  readonly [field: string]: unknown
}
