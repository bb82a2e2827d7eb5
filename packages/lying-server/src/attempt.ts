/** The result of the work, or null if the client aborted with an error, which is always safe. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isProgrammingError(error)) throw error
    return null
  }
}

/** A crash does not count as a rejected answer. */
const isProgrammingError = (error: unknown): boolean => error instanceof ReferenceError
