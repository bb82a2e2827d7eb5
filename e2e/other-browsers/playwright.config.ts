import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const door = fileURLToPath(new URL('./firefox/door.ts', import.meta.url))

/** Journeys in what Debian has of other browsers; `npm test` knows nothing of them. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/other-browsers',
  timeout: 240_000,
  expect: { timeout: 20_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [['list']],
  use: { viewport: { width: 1280, height: 860 }, locale: 'en-GB', timezoneId: 'UTC', actionTimeout: 30_000 },
  projects: [
    {
      name: 'firefox',
      testDir: 'firefox',
      use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: { executablePath: door } },
    },
    { name: 'webkit', testDir: 'webkit' },
  ],
})
