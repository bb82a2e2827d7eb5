import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,tools,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['apps/server/src/testing/engines/postgres.ts'],
    testTimeout: 60_000,
    // What is waited for comes when it comes: the second that is given by itself is short on a machine that stalls.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // More than the two processors of a small machine: tests wait for timers, disks and databases much of their time.
    maxWorkers: 3,
  },
})
