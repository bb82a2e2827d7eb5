import type { BrowserContext, Page } from '@playwright/test'
import { test as base, expect } from '../../support/journey.ts'
import { requirePackage } from '../require-package.ts'

/** The driver adds its own style to a page before it takes a screenshot. */
const driverStyleError = /style-src-elem/
/** `openFiles` begins on a response of the API, for which Firefox requests an icon. */
const iconError = /img-src.*\/favicon\.ico/

/** The same journeys as in Chromium, in Debian's Firefox. */
export const test = base.extend<object, { installed: undefined }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      requirePackage(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', 'firefox-esr')
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
  expectedErrors: async ({ installed: _ }, use) => use([driverStyleError, iconError]),
  context: async ({ context }, use) => {
    await typeAsUserInput(context)
    await use(context)
  },
  anotherBrowser: async ({ anotherBrowser }, use) =>
    use(async (options) => {
      const context = await anotherBrowser(options)
      await typeAsUserInput(context)
      return context
    }),
})

export { expect }

/** The driver sets the text of a field in a way that React does not detect as input. */
const typeAsUserInput = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      get: () => (text: string) => void document.execCommand('insertText', false, text),
      set: () => undefined,
    })
  })

/** Sets files on the file input directly, as the driver reports its dialog only once. */
export const chooseFiles = (page: Page, paths: readonly string[]): Promise<void> =>
  page
    .locator('input[type=file]:not([webkitdirectory])')
    .first()
    .setInputFiles([...paths])
