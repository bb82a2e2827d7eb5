import type { DeletionStep } from '@sallyport/contract/admin'

/** Moments at which a crash can be simulated. */
export type FailpointName =
  | 'after-chunk-write'
  | 'before-chunk-fsync'
  | 'after-chunk-fsync'
  | 'after-chunk-rename'
  | 'after-chunk-row'
  | 'before-directory-fsync'
  | 'after-directory-fsync'
  | 'before-commit'
  | 'after-commit'
  | 'before-answer'
  | 'after-delete-row'
  | 'during-sweep'
  | 'after-deletion-begin'
  | 'after-deletion-rows'
  | `after-deletion-${DeletionStep}`

/** Called when the code reaches this failpoint. */
export type Failpoint = (point: FailpointName) => void

export const noFailpoint: Failpoint = () => undefined

/** Kills the process with SIGKILL at the failpoint of this name, like a power cut; does nothing without a name. */
export function createFailpoint(name: string | undefined): Failpoint {
  if (name === undefined) return noFailpoint
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL')
  }
}
