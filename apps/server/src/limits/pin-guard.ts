import { createHmac } from 'node:crypto'
import { pinLimits } from '@sallyport/contract/limits'
import type { Work } from '@sallyport/contract/session-shapes'
import { type AppError, refuse } from '../errors.ts'
import type { Attempts } from './attempts.ts'
import { afterFailure, freeFailures, lockedForMs } from './pin-failures.rules.ts'
import type { PinFailuresStore } from './pin-failures.store.ts'
import { createPinWork } from './pin-work.ts'
import type { Turns } from './turns.ts'

interface Parts {
  readonly store: PinFailuresStore
  readonly attempts: Attempts
  /** One after the other for each address, so that many at once do not all slip in before the first has failed. */
  readonly turns: Turns
  /** From the secrets folder: what PINs and addresses are hashed under, so that the database alone tells neither. */
  readonly secret: Buffer
  readonly now: () => number
  /** Told of every wrong PIN, and whether the day's free ones are used up by now. */
  readonly onFailure?: (isOverBudget: boolean) => void
}

interface Source {
  /** The block of addresses it comes from. */
  readonly address: string
  /** Whose PIN is tried, where that is known; then wrong ones count for this place as well. */
  readonly place?: string
  /** Whether nobody stands behind it by name; only such tries count towards the day's free ones. */
  readonly isAnonymous: boolean
}

export interface PinTry extends Source {
  /** What is said when the PIN leads nowhere, in the same words whatever the reason. */
  readonly refusal: () => AppError
}

/**
 * The one limiter of every call that takes a PIN. Ten wrong ones from a block of addresses lock it out, for all of
 * these calls and on all nodes; many wrong ones from everywhere make coming in by the PIN alone harder for everybody.
 */
export function createPinGuard({ store, attempts, turns, secret, now, onFailure }: Parts) {
  const work = createPinWork({ secret, attempts, now })
  const hash = (...parts: readonly string[]): string =>
    createHmac('sha256', secret).update(parts.join('\0')).digest('base64url')

  async function isOverBudget(): Promise<boolean> {
    const { failures, joins } = await store.countDay(now())
    return failures > freeFailures(joins)
  }

  function sourcesOf({ address, place }: Source) {
    const ofAddress = { key: hash('address', address), limit: pinLimits.failuresPerAddress }
    if (place === undefined) return [ofAddress]
    return [ofAddress, { key: hash('place', address, place), limit: pinLimits.failuresPerSession }]
  }

  /** For how long nothing more is taken from where it comes; 0 when it may be tried. */
  async function lockedMs(source: Source): Promise<number> {
    for (const { key } of sourcesOf(source)) {
      const ms = lockedForMs(await store.find(key), now())
      if (ms > 0) return ms
    }
    return 0
  }

  async function countFailure(attempt: Source): Promise<void> {
    for (const { key, limit } of sourcesOf(attempt)) {
      await store.change(key, (before) => afterFailure(before, limit, now()))
    }
    if (attempt.isAnonymous) await store.countFailure(now())
    onFailure?.(await isOverBudget())
  }

  return {
    /** The only form in which a PIN is kept or looked for. */
    hashPin: (pin: string): string => hash('pin', pin),

    /** Answers what a PIN leads to. Where it leads to nothing (null), counts that and refuses. */
    pass<Found>(attempt: PinTry, look: () => Promise<Found | null>): Promise<Found> {
      return turns.take(turnOf(attempt.address), async () => {
        const ms = await lockedMs(attempt)
        if (ms > 0) throw refuse('PIN_LOCKED', { retryAfterSeconds: ms / 1000 })
        const found = await look()
        if (found !== null) return found
        await countFailure(attempt)
        throw attempt.refusal()
      })
    },

    /**
     * Answers what a stranger's PIN leads to, for those who refuse in words of their own: null where it leads nowhere,
     * which is counted, and `locked` where the address has to wait and nothing was looked at.
     */
    look<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | 'locked' | null> {
      return turns.take(turnOf(address), async () => {
        if ((await lockedMs(byStranger(address))) > 0) return 'locked'
        const found = await find()
        if (found === null) await countFailure(byStranger(address))
        return found
      })
    },

    /** Counts a PIN of which others found out later that it was wrong. */
    missed: (address: string): Promise<void> => countFailure(byStranger(address)),

    /** Whether so many wrong PINs were tried that the PIN alone does not let strangers in for now. */
    isOverBudget,

    /** Refuses with a task to solve unless one was solved for this very try. */
    async requireWork(address: string, shown: Work | undefined): Promise<void> {
      if (shown && (await work.isDone(shown, address))) return
      const details = { challenge: work.challenge(address), bits: pinLimits.workBits }
      throw refuse('WORK_REQUIRED', { details })
    },

    /** Counts somebody who came in by a PIN: where many do, more of them mistype it. */
    countJoin: (): Promise<void> => store.countJoin(now()),

    forgetOld: {
      name: 'old wrong PINs',
      everyMs: 3_600_000,
      run: (): Promise<void> => store.forgetOld(now()),
    },
  }
}

const turnOf = (address: string): string => `pin|${address}`

const byStranger = (address: string): Source => ({ address, isAnonymous: true })

export type PinGuard = ReturnType<typeof createPinGuard>
