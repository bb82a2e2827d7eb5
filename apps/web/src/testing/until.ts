/** Waits until a condition holds; fails after half a minute. */
export async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error('It did not come about in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
