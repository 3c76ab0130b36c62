import fc from 'fast-check'

export const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
export const text = fc.stringMatching(/^[a-z0-9]{1,6}$/)

/** Some of the optional fields, all of the others. */
export const some = <T, K extends keyof T>(fields: { [F in keyof T]: fc.Arbitrary<T[F]> }, requiredKeys: K[]) =>
  fc.record<T, K>(fields, { requiredKeys })

/** A list that is a map: no two items have the same keys. */
export const listBy = <T>(item: fc.Arbitrary<T>, keyOf: (item: T) => unknown, size: { min?: number; max: number }) =>
  fc.uniqueArray(item, {
    selector: (one) => JSON.stringify(keyOf(one)),
    minLength: size.min ?? 0,
    maxLength: size.max,
  })

export const labels = fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 })

export const portNumber = fc.integer({ min: 1, max: 60_000 })
export const protocol = fc.constantFrom('TCP', 'UDP')

const cpu = fc.constantFrom('100m', '1', '1500m', '2')
const memory = fc.constantFrom('64Mi', '1Gi', '1024Mi')
const amounts = fc.oneof(fc.record({ cpu }), fc.record({ memory }), fc.record({ cpu, memory }))

const env = fc.oneof(
  fc.record({ name, value: fc.oneof({ weight: 4, arbitrary: text }, fc.constant('')) }),
  fc.record({ name, valueFrom: fc.record({ secretKeyRef: fc.record({ name, key: name }) }) }),
  fc.record({ name, valueFrom: fc.record({ fieldRef: fc.constant({ fieldPath: 'metadata.name' }) }) }),
)

const probe = fc.oneof(
  fc.record({ httpGet: fc.record({ path: fc.constant('/healthz'), port: portNumber }), periodSeconds: fc.nat(30) }),
  fc.record({ exec: fc.record({ command: fc.array(text, { minLength: 1, maxLength: 2 }) }) }),
  some({ tcpSocket: fc.record({ port: portNumber }), failureThreshold: fc.integer({ min: 1, max: 5 }) }, ['tcpSocket']),
)

const containerPort = some({ name, containerPort: portNumber, protocol }, ['containerPort', 'protocol'])
const ports = fc.uniqueArray(containerPort, {
  comparator: (a, b) => a.containerPort === b.containerPort || (a.name !== undefined && a.name === b.name),
  maxLength: 3,
})

const volume = fc.oneof(
  fc.record({ name, emptyDir: some({ sizeLimit: memory, medium: fc.constant('Memory') }, []) }),
  fc.record({
    name,
    configMap: some({ name, defaultMode: fc.constantFrom(0o400, 0o644), optional: fc.boolean() }, ['name']),
  }),
  fc.record({ name, secret: some({ secretName: name, optional: fc.boolean() }, ['secretName']) }),
)

/** Containers mount only what the pod has. */
const containerIn = (volumes: readonly { readonly name: string }[]) => {
  const mount = (at: string) => ({ name: at, mountPath: `/mnt/${at}`, readOnly: at.length % 2 === 0 })
  const mounts = fc.subarray(volumes.map((one) => mount(one.name)))
  return some(
    {
      name,
      image: text.map((tag) => `registry.example/app:${tag}`),
      args: fc.array(text, { minLength: 1, maxLength: 3 }),
      env: listBy(env, (one) => one.name, { max: 3 }),
      ports,
      resources: some({ limits: amounts, requests: fc.constant({ cpu: '50m' }) }, []),
      readinessProbe: probe,
      securityContext: some(
        {
          runAsNonRoot: fc.boolean(),
          allowPrivilegeEscalation: fc.boolean(),
          capabilities: fc.constant({ drop: ['ALL'] }),
        },
        [],
      ),
      volumeMounts: mounts,
    },
    ['name', 'image'],
  )
}

/** A pod template whose labels are those of the selector. No such ServiceAccount exists, so no pod is ever made. */
export const podTemplate = (selected: Readonly<Record<string, string>>, restartPolicy: string) =>
  listBy(volume, (one) => one.name, { max: 3 }).chain((volumes) =>
    fc.record({
      metadata: some({ labels: fc.constant(selected), annotations: labels }, ['labels']),
      spec: some(
        {
          serviceAccountName: fc.constant('nobody-has-this-one'),
          restartPolicy: fc.constant(restartPolicy),
          containers: listBy(containerIn(volumes), (one) => one.name, { min: 1, max: 2 }),
          volumes: fc.constant(volumes),
          nodeSelector: labels,
          securityContext: some({ runAsNonRoot: fc.boolean(), fsGroup: fc.nat(2000) }, []),
          tolerations: fc.array(fc.record({ key: name, operator: fc.constant('Exists') }), {
            minLength: 1,
            maxLength: 2,
          }),
          imagePullSecrets: listBy(fc.record({ name }), (one) => one.name, { max: 2 }),
          hostAliases: fc.constant([{ ip: '10.0.0.1', hostnames: ['a.example'] }]),
          terminationGracePeriodSeconds: fc.constantFrom(0, 30, 60),
        },
        ['serviceAccountName', 'restartPolicy', 'containers', 'volumes'],
      ),
    }),
  )
