import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { newEmail, newPassword } from '../../support/account.ts'
import { test as base, expect } from '../../support/journey.ts'
import { requirePackage } from '../require-package.ts'
import { openScreen, type Screen, webkitPrograms } from './driver.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/** Journeys in Debian's WebKit. Nothing of it is Playwright's but the runner. */
export const test = base.extend<{ openWebkit: () => Promise<Visitor> }, { display: Screen }>({
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      for (const [program, name] of webkitPrograms) requirePackage(program, name)
      const display = await openScreen()
      await use(display)
      await display.close()
    },
    { scope: 'worker' },
  ],
  openWebkit: async ({ display, folder, complaints }, use) => {
    const visitors: Visitor[] = []
    await use(async () => {
      const visitor = await openVisitor(display.name, mkdtempSync(join(folder, 'home-')))
      visitors.push(visitor)
      return visitor
    })
    for (const visitor of visitors) {
      complaints.push(...visitor.complaints())
      await visitor.close()
    }
  },
})

export { expect }

/** Comes as a stranger, picks the trial and leaves with an open account. */
export async function signUp(visitor: Visitor, url: string): Promise<void> {
  const password = newPassword()
  await visitor.goto(url)
  await visitor.press('tab', 'Sign Up')
  await visitor.press('button', 'Start trial')
  await visitor.fill('Email', newEmail())
  await visitor.fill('Password', password)
  await visitor.fill('Confirm password', password)
  await visitor.press('button', 'Create Account')
  await visitor.see('Your Files')
}
