/** Polls until the condition holds. After 30 s it throws an error with the source text of the condition. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
