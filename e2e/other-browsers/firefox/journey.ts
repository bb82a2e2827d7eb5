import type { BrowserContext, Page } from '@playwright/test'
import { test as base, expect } from '../../support/journey.ts'
import { requirePackage } from '../require-package.ts'

/** The driver lays a style of its own over a page before it takes a picture. */
const fromTheDriver = /style-src-elem/

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
  provoked: async ({ installed: _ }, use) => use([fromTheDriver]),
  context: async ({ context }, use) => {
    await typeAsPeopleDo(context)
    await use(context)
  },
  anotherBrowser: async ({ anotherBrowser }, use) =>
    use(async (options) => {
      const context = await anotherBrowser(options)
      await typeAsPeopleDo(context)
      return context
    }),
})

export { expect }

/** The driver would put a text into a box in a way that React takes for its own doing. */
const typeAsPeopleDo = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      get: () => (text: string) => void document.execCommand('insertText', false, text),
      set: () => undefined,
    })
  })

/** Gives files to the page's picker, whose dialog the driver sees only once. */
export const chooseFiles = (page: Page, paths: readonly string[]): Promise<void> =>
  page
    .locator('input[type=file]:not([webkitdirectory])')
    .first()
    .setInputFiles([...paths])
