import { setTimeout as wait } from 'node:timers/promises'

/** Runs the work and resolves no sooner than after this time, so that the duration reveals nothing. */
export async function withMinDuration<Result>(minMs: number, work: () => Promise<Result>): Promise<Result> {
  const minimum = wait(minMs)
  try {
    return await work()
  } finally {
    await minimum
  }
}
