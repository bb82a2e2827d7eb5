/** Waits until a condition holds; fails after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 2000
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error('It did not come about in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
