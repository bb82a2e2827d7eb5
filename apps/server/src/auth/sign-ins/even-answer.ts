import { setTimeout as wait } from 'node:timers/promises'

/** Does the work and answers no sooner than after this time, so that how long it took tells nothing. */
export async function answerEvenly<Answer>(leastMs: number, work: () => Promise<Answer>): Promise<Answer> {
  const even = wait(leastMs)
  try {
    return await work()
  } finally {
    await even
  }
}
