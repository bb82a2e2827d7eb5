import { createHmac } from 'node:crypto'
import { pinRules } from '@sallyport/contract/limits'
import { pinLimits } from '@sallyport/contract/server-limits'
import type { ProofOfWork } from '@sallyport/contract/session-shapes'
import { type ApiError, apiError } from '../../errors.ts'
import { widerBlocks } from '../http/address.ts'
import type { KeyedMutex } from './mutex.ts'
import {
  afterFailure,
  answeredCount,
  decidePinAnswer,
  hasFailed,
  lockedForMs,
  type PinFailures,
} from './pin-failures.rules.ts'
import type { PinFailuresStore } from './pin-failures.store.ts'
import { type PinCaller, pinSources } from './pin-sources.ts'
import { createPinWork, type PinWork } from './pin-work.ts'
import type { RateLimiter } from './rate-limiter.ts'

interface PinGuardDeps {
  readonly store: PinFailuresStore
  readonly rateLimiter: RateLimiter
  /** Serializes the tries of each address, and those of all strangers that may still be answered. */
  readonly mutex: KeyedMutex
  /** From the secrets folder: keys the hashes of PINs and addresses, so that the database alone reveals neither. */
  readonly secret: Buffer
  readonly now: () => number
  /** Called for every wrong PIN; `isOverBudget` is true when the budget of the day is used up. */
  readonly onFailure?: (address: string, isOverBudget: boolean) => void
  readonly work?: PinWork
}

/** A call of a session member who shows the PIN alone. */
export interface PinCall extends PinCaller {
  /** The session whose PIN is tried, if known; wrong PINs count for it as well. */
  readonly target?: string
  /** Creates the error for a wrong PIN, the same whatever the reason. */
  readonly createError: () => ApiError
}

/** A PIN tried by a caller who is in no session yet. */
interface PinGuess extends PinCaller {
  readonly work: ProofOfWork | undefined
  readonly createError: () => ApiError
}

/** The result of a stranger's PIN. When it is concealed, the caller must not learn whether anything was found. */
type GuessResult<Found> =
  | { readonly isConcealed: false; readonly found: Found }
  | { readonly isConcealed: true; readonly found: Found | null }

/** The address has sent too many wrong codes. */
export interface Locked {
  readonly lockedSeconds: number
}

/** True when a code was not checked because its address is locked. */
export const isLocked = (found: unknown): found is Locked =>
  typeof found === 'object' && found !== null && 'lockedSeconds' in found

/** The mutex key of all strangers together. */
const budgetKey = 'pin budget'

/**
 * The one limiter of all calls that accept a PIN. Failures lock their source for all of these calls and on all nodes;
 * only a limited number of PINs tried by strangers is answered each day.
 */
export function createPinGuard(deps: PinGuardDeps) {
  const { store, rateLimiter, mutex, secret, now, onFailure } = deps
  const work = deps.work ?? createPinWork({ secret, rateLimiter, now })
  const hash = (...texts: readonly string[]): string =>
    createHmac('sha256', secret).update(texts.join('\0')).digest('base64url')

  const sourcesOf = (caller: PinCaller & { readonly target?: string }) =>
    pinSources(caller).map(({ key, ...rest }) => ({ key: hash(...key), ...rest }))

  /** How long a source of the call stays locked; 0 when none is. */
  async function lockedMs(caller: PinCaller & { readonly target?: string }): Promise<number> {
    for (const { key } of sourcesOf(caller)) {
      const ms = lockedForMs(await store.find(key), now())
      if (ms > 0) return ms
    }
    return 0
  }

  async function requireUnlocked(caller: PinCaller & { readonly target?: string }): Promise<void> {
    const ms = await lockedMs(caller)
    if (ms > 0) throw apiError('PIN_LOCKED', { retryAfterSeconds: ms / 1000 })
  }

  /** Counts a failure of each source; `isAnswered` means that the caller learns that the PIN is wrong. */
  async function countFailure(caller: PinCaller & { readonly target?: string }, isAnswered = false): Promise<void> {
    for (const { key, lock } of sourcesOf(caller)) {
      await store.update(key, (before) => afterFailure(before, lock, now(), isAnswered))
    }
    const { failures } = await store.getDayCounts(now())
    onFailure?.(caller.address, failures >= pinLimits.answeredFailures)
  }

  async function answeredBySource(caller: PinCaller) {
    const found: { answered: number; limit: (typeof pinLimits.sources)[keyof typeof pinLimits.sources] }[] = []
    for (const { key, answers } of sourcesOf(caller)) {
      const record: PinFailures = await store.find(key)
      if (answers) found.push({ answered: answeredCount(record, now()), limit: answers })
    }
    return found
  }

  /** Throws WORK_REQUIRED with a challenge unless one was solved for this try. */
  async function requireWork({ address, work: solution }: PinGuess): Promise<void> {
    if (solution && (await work.isSolved(solution, address))) return
    const details = { challenge: work.challenge(address), bits: pinRules.workBits }
    throw apiError('WORK_REQUIRED', { details })
  }

  async function conceal<Found>(guess: PinGuess, find: () => Promise<Found | null>): Promise<GuessResult<Found>> {
    // Counts right and wrong PINs alike, so that the limit does not distinguish them either.
    const limit = await rateLimiter.allow(`pin concealed|${guess.address}`, pinLimits.concealedPerAddress)
    if (!limit.allowed) throw apiError('PIN_LOCKED', { retryAfterSeconds: limit.retryAfterSeconds })
    const found = await find()
    if (found === null) onFailure?.(guess.address, true)
    return { isConcealed: true, found }
  }

  async function answerGuess<Found>(guess: PinGuess, find: () => Promise<Found | null>): Promise<GuessResult<Found>> {
    const pinAnswer = decidePinAnswer(await store.getDayCounts(now()), await answeredBySource(guess))
    if (pinAnswer !== 'open') await requireWork(guess)
    if (pinAnswer === 'concealed') return conceal(guess, find)
    const owner = widerBlocks(guess.address).at(-1)?.block
    const answer = async (): Promise<GuessResult<Found>> => {
      const sources = await answeredBySource(guess)
      // Concurrent tries have used up the rest of the budget.
      if (decidePinAnswer(await store.getDayCounts(now()), sources) === 'concealed')
        throw apiError('RATE_LIMITED', { retryAfterSeconds: 1 })
      const found = await find()
      if (found !== null) return { isConcealed: false, found }
      await store.countFailure(now(), hasFailed(sources))
      await countFailure(guess, true)
      throw guess.createError()
    }
    return mutex.runExclusive(budgetKey, answer, owner ?? guess.address)
  }

  return {
    /** The only form in which a PIN is stored or searched. */
    hashPin: (pin: string): string => hash('pin', pin),

    /** The form in which a session stores an address; the same address has another hash in another session. */
    hashAddress: (sessionId: string, address: string): string => hash('participant', sessionId, address),

    /**
     * Returns what `find` finds for the PIN of a call about a session, for its members. Null counts as a failure and
     * throws. `find` must return null for everyone else, so that these calls reveal nothing about a PIN.
     */
    check<Found>(call: PinCall, find: () => Promise<Found | null>): Promise<Found> {
      return mutex.runExclusive(mutexKey(call.address), async () => {
        await requireUnlocked(call)
        const found = await find()
        if (found !== null) return found
        await countFailure(call)
        throw call.createError()
      })
    },

    /** Returns what a stranger's PIN leads to, as far as the budget of the day allows. */
    guess<Found>(guess: PinGuess, find: () => Promise<Found | null>): Promise<GuessResult<Found>> {
      return mutex.runExclusive(mutexKey(guess.address), async () => {
        await requireUnlocked(guess)
        return answerGuess(guess, find)
      })
    },

    /**
     * Returns what a stranger's code leads to, for callers that send errors of their own: null when it leads nowhere,
     * which counts as a failure, and `Locked` when the address is locked and nothing was checked.
     */
    checkCode<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | Locked | null> {
      return mutex.runExclusive(mutexKey(address), async () => {
        const ms = await lockedMs({ address })
        if (ms > 0) return { lockedSeconds: Math.ceil(ms / 1000) }
        const found = await find()
        if (found === null) await countFailure({ address })
        return found
      })
    },

    /** Counts a code that the other device has found to be wrong. */
    countWrongCode: (address: string): Promise<void> => countFailure({ address }),

    deleteOld: {
      name: 'PIN failure sweep',
      needsRightTime: true,
      everyMs: 3_600_000,
      run: (): Promise<void> => store.deleteOld(now()),
    },
  }
}

const mutexKey = (address: string): string => `pin|${address}`

export type PinGuard = ReturnType<typeof createPinGuard>
