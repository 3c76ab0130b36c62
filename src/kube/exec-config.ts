import { z } from 'zod'

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const

/** The `exec` of a kubeconfig's user. */
export const execFields = z.strictObject({
  apiVersion: z
    .string()
    .refine(
      (version) => apiVersions.some((known) => known === version),
      `exec.apiVersion is not supported: it must be ${apiVersions.join(' or ')}`,
    ),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: z.string().nullish(),
  provideClusterInfo: z.boolean().nullish(),
  interactiveMode: z
    .enum(['Never', 'IfAvailable', 'Always'])
    .refine((mode) => mode !== 'Always', 'exec.interactiveMode Always is refused: there is nobody to ask')
    .nullish(),
})

export interface ExecConfig extends z.infer<typeof execFields> {
  /** As the kubeconfig has it; `command` is where that leads to. */
  readonly name: string
}
