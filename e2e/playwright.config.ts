import { defineConfig } from '@playwright/test'
import { executablePath } from './support/browser/executable-path.ts'

/** With `DRAW_SCREENS=1`, the run only redraws the screenshots in `docs/screens`. */
const screenshotTests = /@screens/
const testFilter = process.env['DRAW_SCREENS'] ? { grep: screenshotTests } : { grepInvert: screenshotTests }

/** Features that Playwright itself disables, as the last such switch replaces the earlier ones. */
const disabledByPlaywright =
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,' +
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,' +
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch'
/** Pages of the address bar: each window starts one, which costs more than the pages of many journeys. */
const addressBarFeatures = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup'

// Where the locale is not UTF-8, the headless build saves no file under a name outside of ASCII.
process.env['LC_ALL'] = 'C.UTF-8'

export default defineConfig({
  ...testFilter,
  testDir: 'tests',
  // `npm test` leaves out what is long by nature.
  testIgnore: process.env['SHORT_RUN'] ? '**/*.long.spec.ts' : [],
  globalSetup: './prepare-accounts.ts',
  outputDir: '../test-results/journeys',
  // Limits only end what hangs, also on a machine with a quarter of the usual speed.
  timeout: 480_000,
  expect: { timeout: 60_000 },
  // Each journey has its own server and browser context, and waits for timers and animations: with 4 workers, 2 CPUs are
  // idle a third of the time.
  workers: 6,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    actionTimeout: 240_000,
    navigationTimeout: 240_000,
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'off',
    launchOptions: {
      executablePath,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledByPlaywright},${addressBarFeatures}`,
      ],
    },
  },
})
