import { expect } from '@playwright/test'
import { transferLimits } from '@sallyport/contract/limits'

/** How often a request is sent before it fails for good. */
const attemptsPerRequest = transferLimits.retryDelaysMs.length + 1

/** Waits until a server that is away was tried more often than this many requests of the page are sent altogether. */
export const waitForAttempts = (attempts: () => number, requests: number): Promise<void> =>
  expect.poll(attempts, { timeout: 480_000 }).toBeGreaterThan(requests * attemptsPerRequest)
