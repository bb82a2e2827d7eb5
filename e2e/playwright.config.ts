import { defineConfig } from '@playwright/test'

/** With `DRAW_SCREENS=1` the pictures in `docs/screens` are drawn anew, and nothing else is done. */
const drawing = /@screens/
const choice = process.env['DRAW_SCREENS'] ? { grep: drawing } : { grepInvert: drawing }

/** What Playwright itself turns off, since the last such switch replaces those before it. */
const withoutByPlaywright =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,' +
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,' +
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch'
/** Pages of the address bar: each window starts one, which costs more than many a journey's own page. */
const withoutAddressBar = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup'

export default defineConfig({
  ...choice,
  testDir: 'tests',
  outputDir: '../test-results/journeys',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Each journey has a server and a browser context of its own. With two workers two processors are idle a third of the time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  // A shared machine stalls now and then. Whatever needed its second attempt is named at the end of the run.
  retries: 1,
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${withoutByPlaywright},${withoutAddressBar}`,
      ],
    },
  },
})
