/** Polls until the condition holds; throws after 30 s. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('Timed out waiting for the condition')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
