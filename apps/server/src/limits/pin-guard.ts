import { createHmac } from 'node:crypto'
import { pinRules } from '@sallyport/contract/limits'
import { pinLimits } from '@sallyport/contract/server-limits'
import type { Work } from '@sallyport/contract/session-shapes'
import { type AppError, refuse } from '../errors.ts'
import { widerBlocks } from '../http/address.ts'
import type { Attempts } from './attempts.ts'
import { afterFailure, answeredOf, answerTo, hasFailed, lockedForMs, type PinFailures } from './pin-failures.rules.ts'
import type { PinFailuresStore } from './pin-failures.store.ts'
import { type PinCaller, pinSources } from './pin-sources.ts'
import { createPinWork, type PinWork } from './pin-work.ts'
import type { Turns } from './turns.ts'

interface Parts {
  readonly store: PinFailuresStore
  readonly attempts: Attempts
  /** Serializes the tries of each address, and those of all strangers that may still be answered. */
  readonly turns: Turns
  /** From the secrets folder: what PINs and addresses are hashed under, so that the database alone tells neither. */
  readonly secret: Buffer
  readonly now: () => number
  /** Called for every wrong PIN, with whether the budget of the day is used up. */
  readonly onFailure?: (isOverBudget: boolean) => void
  readonly work?: PinWork
}

/** A call of one who is in a session but shows the PIN alone. */
export interface PinCall extends PinCaller {
  /** Whose PIN is tried, where that is known; wrong ones count for this place as well. */
  readonly place?: string
  /** What is said when the PIN leads nowhere, in the same words whatever the reason. */
  readonly refusal: () => AppError
}

/** A PIN tried by one who is in no session yet. */
interface PinGuess extends PinCaller {
  readonly work: Work | undefined
  readonly refusal: () => AppError
}

/** What a stranger's PIN leads to. Where it is concealed, the caller must not learn whether anything was found. */
type GuessResult<Found> =
  | { readonly isConcealed: false; readonly found: Found }
  | { readonly isConcealed: true; readonly found: Found | null }

/** The address of a code has failed too often. */
export interface Locked {
  readonly lockedSeconds: number
}

/** True where a code was not looked at because its address has to wait. */
export const isLocked = (found: unknown): found is Locked =>
  typeof found === 'object' && found !== null && 'lockedSeconds' in found

/** All strangers together, under this key. */
const budgetKey = 'pin budget'

/**
 * The one limiter of every call that takes a PIN. Failures of a source lock it, for all of these calls and on all nodes;
 * of the PINs that strangers try only so many a day are answered.
 */
export function createPinGuard(parts: Parts) {
  const { store, attempts, turns, secret, now, onFailure } = parts
  const work = parts.work ?? createPinWork({ secret, attempts, now })
  const hash = (...texts: readonly string[]): string =>
    createHmac('sha256', secret).update(texts.join('\0')).digest('base64url')

  const sourcesOf = (caller: PinCaller & { readonly place?: string }) =>
    pinSources(caller).map(({ key, ...rest }) => ({ key: hash(...key), ...rest }))

  /** Refuses while a source of the call has to wait. */
  async function lockedMs(caller: PinCaller & { readonly place?: string }): Promise<number> {
    for (const { key } of sourcesOf(caller)) {
      const ms = lockedForMs(await store.find(key), now())
      if (ms > 0) return ms
    }
    return 0
  }

  async function requireUnlocked(caller: PinCaller & { readonly place?: string }): Promise<void> {
    const ms = await lockedMs(caller)
    if (ms > 0) throw refuse('PIN_LOCKED', { retryAfterSeconds: ms / 1000 })
  }

  /** Counts a failure of each source; an answered one has told its caller that the PIN is wrong. */
  async function countFailure(caller: PinCaller & { readonly place?: string }, isAnswered = false): Promise<void> {
    for (const { key, lock } of sourcesOf(caller)) {
      await store.change(key, (before) => afterFailure(before, lock, now(), isAnswered))
    }
    const { failures } = await store.countDay(now())
    onFailure?.(failures >= pinLimits.answeredFailures)
  }

  async function answeredBySource(caller: PinCaller) {
    const found: { answered: number; limit: (typeof pinLimits.sources)[keyof typeof pinLimits.sources] }[] = []
    for (const { key, answers } of sourcesOf(caller)) {
      const record: PinFailures = await store.find(key)
      if (answers) found.push({ answered: answeredOf(record, now()), limit: answers })
    }
    return found
  }

  /** Refuses with a task to solve unless one was solved for this very try. */
  async function requireWork({ address, work: shown }: PinGuess): Promise<void> {
    if (shown && (await work.isDone(shown, address))) return
    const details = { challenge: work.challenge(address), bits: pinRules.workBits }
    throw refuse('WORK_REQUIRED', { details })
  }

  async function conceal<Found>(guess: PinGuess, look: () => Promise<Found | null>): Promise<GuessResult<Found>> {
    // Counts right and wrong PINs alike, so that the limit does not tell them apart either.
    const pace = await attempts.allow(`pin concealed|${guess.address}`, pinLimits.concealedPerAddress)
    if (!pace.allowed) throw refuse('PIN_LOCKED', { retryAfterSeconds: pace.retryAfterSeconds })
    return { isConcealed: true, found: await look() }
  }

  async function answerGuess<Found>(guess: PinGuess, look: () => Promise<Found | null>): Promise<GuessResult<Found>> {
    const asked = answerTo(await store.countDay(now()), await answeredBySource(guess))
    if (asked !== 'open') await requireWork(guess)
    if (asked === 'concealed') return conceal(guess, look)
    const owner = widerBlocks(guess.address).at(-1)?.block
    const answer = async (): Promise<GuessResult<Found>> => {
      const sources = await answeredBySource(guess)
      // Other tries have used up what was left meanwhile.
      if (answerTo(await store.countDay(now()), sources) === 'concealed')
        throw refuse('RATE_LIMITED', { retryAfterSeconds: 1 })
      const found = await look()
      if (found !== null) return { isConcealed: false, found }
      await store.countFailure(now(), hasFailed(sources))
      await countFailure(guess, true)
      throw guess.refusal()
    }
    return turns.take(budgetKey, answer, owner ?? guess.address)
  }

  return {
    /** The only form in which a PIN is kept or looked for. */
    hashPin: (pin: string): string => hash('pin', pin),

    /** The form in which a session stores an address; the same address looks different in another session. */
    hashAddress: (sessionId: string, address: string): string => hash('participant', sessionId, address),

    /**
     * Answers what the PIN of a call about a session leads to, for those who are in it. Null is counted and refused. It
     * must be null for everyone else, so that nobody learns about a PIN by these calls.
     */
    pass<Found>(call: PinCall, look: () => Promise<Found | null>): Promise<Found> {
      return turns.take(turnOf(call.address), async () => {
        await requireUnlocked(call)
        const found = await look()
        if (found !== null) return found
        await countFailure(call)
        throw call.refusal()
      })
    },

    /** Answers what a stranger's PIN leads to, as far as the budget of the day allows. */
    guess<Found>(guess: PinGuess, look: () => Promise<Found | null>): Promise<GuessResult<Found>> {
      return turns.take(turnOf(guess.address), async () => {
        await requireUnlocked(guess)
        return answerGuess(guess, look)
      })
    },

    /**
     * Answers what a stranger's code leads to, for those who refuse in words of their own: null where it leads nowhere,
     * which is counted, and how long the address has to wait where nothing was looked at.
     */
    look<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | Locked | null> {
      return turns.take(turnOf(address), async () => {
        const ms = await lockedMs({ address })
        if (ms > 0) return { lockedSeconds: Math.ceil(ms / 1000) }
        const found = await find()
        if (found === null) await countFailure({ address })
        return found
      })
    },

    /** Counts a code of which others found out later that it was wrong. */
    missed: (address: string): Promise<void> => countFailure({ address }),

    forgetOld: {
      name: 'old wrong PINs',
      everyMs: 3_600_000,
      run: (): Promise<void> => store.forgetOld(now()),
    },
  }
}

const turnOf = (address: string): string => `pin|${address}`

export type PinGuard = ReturnType<typeof createPinGuard>
