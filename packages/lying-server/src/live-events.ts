import { LiveEvent } from '@sallyport/contract/live'
import fc from 'fast-check'
import { arbitraryOf } from './arbitrary.ts'
import { type KnownLie, type Lie, liesAbout } from './lies.ts'

/** Falsified answers, and events on the live channel that may not have happened. */
export interface LiveCase {
  readonly lies: readonly (Lie | KnownLie)[]
  readonly events: readonly LiveEvent[]
}

/** Cases for a client that makes these calls and subscribes to the live channel. */
export const liveCases = (calls: readonly string[]): fc.Arbitrary<LiveCase> =>
  fc.record({
    lies: liesAbout(calls.filter((call) => !call.startsWith('live '))),
    events: fc.array(arbitraryOf(LiveEvent) as fc.Arbitrary<LiveEvent>, { maxLength: 3 }),
  })
