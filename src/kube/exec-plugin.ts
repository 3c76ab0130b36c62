import { seconds } from '../pure/duration.ts'
import type { Clock } from './clock.ts'
import type { Proof } from './credentials.ts'
import type { ExecConfig } from './exec-config.ts'
import { type ExecCredential, parseExecCredential } from './exec-credential.ts'
import { runCommand } from './exec-run.ts'
import { singleFlight } from './single-flight.ts'
import type { Source } from './source.ts'

// A credential that ends while a request carries it would be refused.
const skew = seconds(10)

/** A program that says who we are. It is run when its last answer ended or was refused, and never twice at a time. */
export const execPlugin = (config: ExecConfig, clock: Clock, cluster: () => Promise<object>): Source<Proof> => {
  let kept: ExecCredential | undefined
  const run = singleFlight(async () => {
    kept = await ask(config, clock, config.provideClusterInfo === true ? { cluster: await cluster() } : {})
    return kept.proof
  })
  return {
    async current() {
      return kept !== undefined && clock.now() < kept.expires - skew ? kept.proof : run()
    },
    renew() {
      kept = undefined
      return true
    },
  }
}

const ask = async (config: ExecConfig, clock: Clock, about: object): Promise<ExecCredential> => {
  const { apiVersion, command, args, env } = config
  const question = { apiVersion, kind: 'ExecCredential', spec: { ...about, interactive: false } }
  const outcome = await runCommand(
    {
      command,
      args: args ?? [],
      env: {
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(question),
      },
    },
    clock,
  )
  if ('fault' in outcome) throw pluginError(config, outcome.fault)
  const credential = parseExecCredential(outcome.stdout, apiVersion)
  if (typeof credential === 'string') throw pluginError(config, credential)
  return credential
}

const pluginError = ({ name, installHint }: ExecConfig, fault: string): Error => {
  const hint = installHint?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const advice = hint === '' ? 'run it by hand to see why' : hint
  return new Error(`the credential plugin ${name} ${fault}: ${advice}`)
}
