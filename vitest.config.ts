import { defineConfig } from 'vitest/config'

/** `npm test` leaves out what is long by nature. */
const longTests = process.env['SHORT_RUN'] ? ['**/*.long.test.ts'] : []

export default defineConfig({
  test: {
    include: ['{apps,packages,tools,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...longTests],
    globalSetup: ['apps/server/src/testing/engines/postgres.ts'],
    // Limits only end what hangs, also on a machine with a quarter of the usual speed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // More than the two processors of a small machine: tests wait for timers, disks and databases much of their time.
    maxWorkers: 3,
  },
})
