import { setImmediate } from './set-immediate.ts'

const deadlineMs = 60_000

/** Yields to the event loop until the condition holds. After a minute it throws an error with `what` in it. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + deadlineMs
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting until ${what}`)
    await new Promise((resolve) => void setImmediate(() => resolve(undefined)))
  }
}
