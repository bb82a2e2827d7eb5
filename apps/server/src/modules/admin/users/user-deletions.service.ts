import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { DeletionStep } from '@sallyport/contract/admin'
import { deletionLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Job } from '../../../jobs.ts'
import { AuthError } from '../../auth/protocol/auth-error.ts'
import type { UsersStore } from '../../auth/users/users.store.ts'
import type { UserDeletionsStore } from './user-deletions.store.ts'

/** What each step does. A step that was interrupted is repeated from its beginning. */
type DeletionSteps = Readonly<Record<DeletionStep, (userId: string, signal: AbortSignal) => Promise<void>>>

interface UserDeletionsDeps extends Pick<ServerContext, 'now' | 'log' | 'onError' | 'failpoint'> {
  readonly store: UserDeletionsStore
  readonly users: Pick<UsersStore, 'find'>
  readonly steps: DeletionSteps
}

const { leaseMs, retryMs, maxRetryMs, answerMs } = deletionLimits

/** Deletes users step by step. A deletion that has begun is continued by any node until it is complete. */
export function createUserDeletions({ store, users, steps, now, log, onError, failpoint }: UserDeletionsDeps) {
  const stopController = new AbortController()
  const running = new Set<Promise<void>>()

  async function runSteps(userId: string, claim: string, first: DeletionStep, signal: AbortSignal): Promise<void> {
    const remaining = DeletionStep.options.slice(DeletionStep.options.indexOf(first))
    for (const [index, step] of remaining.entries()) {
      signal.throwIfAborted()
      await steps[step](userId, signal)
      failpoint(`after-deletion-${step}`)
      const next = remaining[index + 1]
      if (next === undefined || !(await store.advance(userId, claim, next))) return
    }
  }

  /** Runs the remaining steps, unless another run does. An error is stored, and the job retries later. */
  async function run(userId: string, signal: AbortSignal): Promise<void> {
    const claim = randomUUIDv7()
    const found = await store.claim(userId, { claim, now: now(), leaseEnd: now() + leaseMs })
    if (!found) return
    const heartbeat = setInterval(() => {
      store.renew(userId, claim, now() + leaseMs).catch(onError)
    }, leaseMs / 3)
    try {
      await runSteps(userId, claim, found.step, signal)
    } catch (error) {
      if (signal.aborted) return await store.release(userId, claim, { attempts: 0, error: null, due_at: now() })
      log.error({ err: error, userId }, 'a step of a deletion failed')
      await fail(userId, claim, found, error)
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function fail(
    userId: string,
    claim: string,
    found: { readonly step: DeletionStep; readonly attempts: number },
    error: unknown,
  ): Promise<void> {
    const isSameStep = (await store.find(userId))?.step === found.step
    const attempts = isSameStep ? found.attempts : 0
    const delayMs = Math.min(retryMs * 2 ** attempts, maxRetryMs)
    const code = error instanceof ApiError || error instanceof AuthError ? error.code : 'INTERNAL'
    await store.release(userId, claim, { attempts: attempts + 1, error: code, due_at: now() + delayMs })
  }

  return {
    /** Runs a deletion that has begun. Returns whether it is complete after a few seconds; otherwise it continues. */
    async run(userId: string): Promise<'deleted' | 'deleting'> {
      failpoint('after-deletion-begin')
      const current: Promise<void> = run(userId, stopController.signal)
        .catch(onError)
        .finally(() => running.delete(current))
      running.add(current)
      await Promise.race([current, wait(answerMs, undefined, { ref: false })])
      return (await users.find(userId)) === null ? 'deleted' : 'deleting'
    },
    job: {
      name: 'user deletions',
      everyMs: deletionLimits.everyMs,
      async run(signal) {
        for (const userId of await store.listDue(now(), deletionLimits.batch)) {
          if (signal.aborted) return
          await run(userId, signal)
        }
      },
    } satisfies Job,
    /** Interrupts what runs; it continues after the next start. */
    async stop(): Promise<void> {
      stopController.abort()
      await Promise.all(running)
    },
  }
}

export type UserDeletions = ReturnType<typeof createUserDeletions>
