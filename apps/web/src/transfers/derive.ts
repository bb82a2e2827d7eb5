import type { LoginSecrets } from '@sallyport/crypto'
import deriveWorkerUrl from '#/workers/derive.worker.ts?worker&url'
import type { DeriveTasks } from '#/workers/tasks.ts'
import { startWorker, type TaskPort } from './task-port.ts'

/** Stretches a password into the login credential and the wrap secret, outside the page's thread. */
export const deriveLoginSecretsApart = (ask: DeriveTasks['login-secrets']['ask']): Promise<LoginSecrets> =>
  apart((worker) => worker.run('login-secrets', ask))

/** Stretches a password into the master key, outside the page's thread. */
export const deriveMasterKeyApart = (ask: DeriveTasks['master-key']['ask']): Promise<Uint8Array<ArrayBuffer>> =>
  apart((worker) => worker.run('master-key', ask))

/** One worker for each task: it ends with its memory, in which the password lay. */
async function apart<Result>(work: (worker: TaskPort<DeriveTasks>) => Promise<Result>): Promise<Result> {
  const worker = startWorker<DeriveTasks>(deriveWorkerUrl, 'derive')
  try {
    return await work(worker)
  } finally {
    worker.end()
  }
}
