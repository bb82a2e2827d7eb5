import { LiveEvent } from '@sallyport/contract/live'
import fc from 'fast-check'
import { arbitraryOf } from './arbitrary.ts'
import { type KnownLie, type Lie, liesAbout } from './lies.ts'

/** Lies in answers, and events that are told over the live channel whether or not they happened. */
export interface LiveCase {
  readonly lies: readonly (Lie | KnownLie)[]
  readonly events: readonly LiveEvent[]
}

/** Cases for a client that makes these calls and follows the live channel. */
export const liveCases = (calls: readonly string[]): fc.Arbitrary<LiveCase> =>
  fc.record({
    lies: liesAbout(calls.filter((call) => !call.startsWith('live '))),
    events: fc.array(arbitraryOf(LiveEvent) as fc.Arbitrary<LiveEvent>, { maxLength: 3 }),
  })
