import { startWorker } from '#/transfers/task-port.ts'
import strengthWorkerUrl from '#/workers/strength.worker.ts?worker&url'
import type { PasswordStrength, StrengthTasks } from '#/workers/tasks.ts'

interface PasswordJudge {
  readonly judge: (password: string, own: readonly string[]) => Promise<PasswordStrength>
  /** Ends the worker with its memory, in which the passwords lay. */
  readonly end: () => void
}

/** Looks at passwords away from the page's own thread, since the word lists are long. */
export function openPasswordJudge(): PasswordJudge {
  const worker = startWorker<StrengthTasks>(strengthWorkerUrl, 'strength')
  return { judge: (password, own) => worker.run('judge', { password, own }), end: worker.end }
}
