import { runInWorker } from '@sallyport/browser/task-port'
import deriveWorkerUrl from '#/lib/workers/derive.worker.ts?worker&url'
import type { DeriveTasks } from '#/lib/workers/tasks.ts'

/** Derives the login credential and the wrap secret from a password in a worker. */
export const deriveLoginSecretsInWorker: DeriveTasks['loginSecrets'] = (input) =>
  runInWorker(deriveWorkerUrl, 'derive', (tasks: DeriveTasks) => tasks.loginSecrets(input))

/** Derives the master key from a password in a worker. */
export const deriveMasterKeyInWorker: DeriveTasks['masterKey'] = (input) =>
  runInWorker(deriveWorkerUrl, 'derive', (tasks: DeriveTasks) => tasks.masterKey(input))
