import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,tools,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['apps/server/src/testing/postgres.ts'],
    testTimeout: 60_000,
    // What is waited for comes when it comes: the second that is given by itself is short on a machine that stalls.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // A shared machine stalls now and then. Whatever needed its second attempt is named at the end of `npm test`.
    retry: 1,
    // One fewer than there are processors, as it would be by itself, leaves half of a small machine idle.
    maxWorkers: 2,
  },
})
