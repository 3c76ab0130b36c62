import type { KubeObject, ObjectMeta } from '../pure/object.ts'

/** A pod, as far as a kubelet's part goes. */
export interface PlayedPod extends KubeObject {
  readonly metadata: ObjectMeta & {
    readonly deletionGracePeriodSeconds?: number
  }
  readonly spec: {
    readonly restartPolicy: 'Always' | 'OnFailure' | 'Never'
    readonly containers: readonly Container[]
  }
  readonly status?: PodStatus
}

export interface Container {
  readonly name: string
  readonly image: string
}

export interface PodStatus {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly startTime?: string
  readonly hostIP?: string
  readonly podIP?: string
  readonly conditions?: readonly PodCondition[]
  readonly containerStatuses?: readonly ContainerStatus[]
}

export interface PodCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly lastTransitionTime?: string
}

export interface ContainerStatus extends Container {
  readonly ready: boolean
  readonly started: boolean
  readonly restartCount: number
  readonly state: ContainerState
  readonly lastState?: ContainerState | undefined
}

export interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message: string }
  readonly running?: { readonly startedAt: string }
  readonly terminated?: {
    readonly exitCode: number
    readonly reason: string
    readonly startedAt: string
    readonly finishedAt: string
  }
}
