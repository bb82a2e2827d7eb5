import { setTimeout as wait } from 'node:timers/promises'

/** Resolves once the condition holds. Rejects with what was waited for after `timeoutMs`, 60 s by default. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${what}`)
    await wait(20)
  }
}
