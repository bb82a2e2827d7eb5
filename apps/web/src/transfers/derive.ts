import type { LoginSecrets } from '@sallyport/crypto'
import { trustedScriptUrl } from '#/ui/trusted-script-url.ts'
import type { DeriveResult, DeriveTask } from '#/workers/derive.messages.ts'
import deriveWorkerUrl from '#/workers/derive.worker.ts?worker&url'

type TaskOf<Kind extends DeriveTask['kind']> = Omit<Extract<DeriveTask, { kind: Kind }>, 'kind'>

/** Stretches a password into the login credential and the wrap secret, outside the page's thread. */
export async function deriveLoginSecretsApart(task: TaskOf<'login-secrets'>): Promise<LoginSecrets> {
  const result = await runApart({ kind: 'login-secrets', ...task })
  if (result.kind !== 'login-secrets') throw new Error(failureOf(result))
  return result.secrets
}

/** Stretches a password into the master key, outside the page's thread. */
export async function deriveMasterKeyApart(task: TaskOf<'master-key'>): Promise<Uint8Array<ArrayBuffer>> {
  const result = await runApart({ kind: 'master-key', ...task })
  if (result.kind !== 'master-key') throw new Error(failureOf(result))
  return result.masterKey
}

const failureOf = (result: DeriveResult): string =>
  result.kind === 'failed' ? result.message : 'The worker answered another question'

/** One worker for each task: it ends with its memory, in which the password lay. */
function runApart(task: DeriveTask): Promise<DeriveResult> {
  const worker = new Worker(trustedScriptUrl(deriveWorkerUrl), { type: 'module', name: 'derive' })
  return new Promise<DeriveResult>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<DeriveResult>) => resolve(data)
    worker.onerror = () => reject(new Error('The worker that derives keys stopped unexpectedly'))
    worker.postMessage(task)
  }).finally(() => worker.terminate())
}
