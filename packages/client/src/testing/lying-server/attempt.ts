/** What the work gave; null where the client refused to go on, which is always safe. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isProgrammingError(error)) throw error
    return null
  }
}

/** A client that stumbles over an answer has not refused it. */
const isProgrammingError = (error: unknown): boolean => error instanceof ReferenceError
