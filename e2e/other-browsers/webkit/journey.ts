import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { newEmail, newPassword } from '../../support/account/account.ts'
import { test as base, expect } from '../../support/journey.ts'
import { requirePackage } from '../require-package.ts'
import { startVirtualDisplay, type VirtualDisplay, webkitPrograms } from './driver.ts'
import { openWebkitPage, type WebkitPage } from './webkit-page.ts'

/** Journeys in Debian's WebKit. Only the test runner is Playwright's. */
export const test = base.extend<{ openWebkit: () => Promise<WebkitPage> }, { display: VirtualDisplay }>({
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      for (const [program, name] of webkitPrograms) requirePackage(program, name)
      const display = await startVirtualDisplay()
      await use(display)
      await display.close()
    },
    { scope: 'worker' },
  ],
  openWebkit: async ({ display, folder, pageErrors }, use) => {
    const pages: WebkitPage[] = []
    await use(async () => {
      const page = await openWebkitPage(display.name, mkdtempSync(join(folder, 'home-')))
      pages.push(page)
      return page
    })
    for (const page of pages) {
      pageErrors.push(...page.errors())
      await page.close()
    }
  },
})

export { expect }

/** Signs up for a trial and waits until the files are open. */
export async function signUp(page: WebkitPage, url: string): Promise<void> {
  const password = newPassword()
  await page.goto(url)
  await page.click('tab', 'Sign Up')
  await page.click('button', 'Start trial')
  await page.fill('Email', newEmail())
  await page.fill('Password', password)
  await page.fill('Confirm password', password)
  await page.click('button', 'Create Account')
  await page.expectText('Your Files')
}
