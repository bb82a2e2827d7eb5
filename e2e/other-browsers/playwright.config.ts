import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const bidiProxy = fileURLToPath(new URL('./firefox/bidi-proxy.ts', import.meta.url))

/** Journeys in other browsers as packaged by Debian; `npm test` does not run them. */
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
      use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: { executablePath: bidiProxy } },
    },
    { name: 'webkit', testDir: 'webkit' },
  ],
})
