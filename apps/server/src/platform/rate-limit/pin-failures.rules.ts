import { pinLimits } from '@sallyport/contract/server-limits'

/** Wrong PINs from one source; times in epoch milliseconds. */
export interface PinFailures {
  /** Those answered as wrong in the 24 hours that end at `answeredUntil`. */
  readonly answered: number
  readonly answeredUntil: number
  /** When the leaky count of all failures is back at zero. */
  readonly drainedAt: number
  readonly lockEndsAt: number
  /** Locks since the count was last at zero. */
  readonly locks: number
}

/** How many failures lock one source, and for how long. */
interface LockLimit {
  readonly failures: number
  readonly shortestLockMs?: number
}

/** How many PINs of one source are answered as wrong within 24 hours. */
interface AnswerLimit {
  readonly answered: number
  readonly answeredFreely: number
}

/** Wrong PINs of all strangers that were answered as wrong within 24 hours. */
export interface DayOfFailures {
  readonly failures: number
  /** Those whose source had failed before. */
  readonly repeats: number
}

interface AnsweredSource {
  readonly answered: number
  readonly limit: AnswerLimit
}

/**
 * How a stranger's PIN is answered: at once, after work, or not at all, so that right and wrong look alike until the
 * creator of the session decides.
 */
export type PinAnswer = 'open' | 'work' | 'concealed'

const dayMs = 24 * 3_600_000

export const noFailures: PinFailures = { answered: 0, answeredUntil: 0, drainedAt: 0, lockEndsAt: 0, locks: 0 }

/** Returns the record after one more failure. Failures leak evenly over 24 hours; a full count locks the source. */
export function afterFailure(before: PinFailures, limit: LockLimit, now: number, isAnswered = false): PinFailures {
  const leakMs = dayMs / limit.failures
  const drainedAt = Math.round(Math.min(Math.max(before.drainedAt, now) + leakMs, now + dayMs))
  const locks = before.drainedAt > now ? before.locks : 0
  const counted = { ...countAnswer(before, now, isAnswered), drainedAt }
  if (Math.ceil((drainedAt - now) / leakMs) < limit.failures)
    return { ...counted, lockEndsAt: before.lockEndsAt, locks }
  const lockMs = Math.min(pinLimits.maxLockMs, (limit.shortestLockMs ?? pinLimits.minLockMs) * 2 ** locks)
  return { ...counted, lockEndsAt: now + lockMs, locks: locks + 1 }
}

function countAnswer(before: PinFailures, now: number, isAnswered: boolean) {
  const { answeredUntil } = before
  const answered = answeredCount(before, now)
  if (!isAnswered) return { answered, answeredUntil }
  return { answered: answered + 1, answeredUntil: answered > 0 ? answeredUntil : now + dayMs }
}

/** How long the source stays locked; 0 when it may try. */
export const lockedForMs = ({ lockEndsAt }: PinFailures, now: number): number => Math.max(0, lockEndsAt - now)

/** Failures answered as wrong within the current 24 hours. */
export const answeredCount = ({ answered, answeredUntil }: PinFailures, now: number): number =>
  now < answeredUntil ? answered : 0

/** Whether one of these sources has failed before, so that its next failure is a repeat. */
export const hasFailed = (sources: readonly AnsweredSource[]): boolean => sources.some(({ answered }) => answered > 0)

/** Decides how the next PIN from these sources is answered. */
export function decidePinAnswer(day: DayOfFailures, sources: readonly AnsweredSource[]): PinAnswer {
  if (day.failures >= pinLimits.answeredFailures) return 'concealed'
  if (hasFailed(sources) && !canRepeat(day, sources)) return 'concealed'
  return day.failures >= pinLimits.workFromFailures ? 'work' : 'open'
}

/** The first repeats of a source are for people who mistype; later ones leave half of the day's repeats to others. */
function canRepeat({ repeats }: DayOfFailures, sources: readonly AnsweredSource[]): boolean {
  if (sources.some(({ answered, limit }) => answered >= limit.answered)) return false
  const isFew = sources.every(({ answered, limit }) => answered < limit.answeredFreely)
  return repeats < (isFew ? pinLimits.answeredRepeats : pinLimits.answeredRepeats / 2)
}
