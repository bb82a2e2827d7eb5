const secondMs = 1000
const firstDelayMs = 15 * secondMs
const longestDelayMs = 15 * 60 * secondMs

/** How long to wait after so many attempts that failed: twice as long each time, up to a quarter of an hour. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, attempts - 1))
