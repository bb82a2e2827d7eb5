/** Polls until the condition holds. After two minutes it throws an error with the source text of the condition. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
