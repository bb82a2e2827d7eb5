import { deriveLoginSecrets, deriveMasterKey } from '@sallyport/crypto'
import type { DeriveResult, DeriveTask } from './derive.messages.ts'

self.onmessage = async ({ data }: MessageEvent<DeriveTask>) => {
  self.postMessage(await derive(data).catch(failed))
}

async function derive(task: DeriveTask): Promise<DeriveResult> {
  if (task.kind === 'login-secrets') return { kind: task.kind, secrets: await deriveLoginSecrets(task) }
  return { kind: task.kind, masterKey: await deriveMasterKey(task.password, task.userId) }
}

const failed = (error: unknown): DeriveResult => ({
  kind: 'failed',
  message: error instanceof Error ? error.message : 'Unknown failure',
})
