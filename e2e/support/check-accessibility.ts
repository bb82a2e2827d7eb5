import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page as it stands, a line for each element; rules that do not apply can be left out. */
export async function checkAccessibility(page: Page, leaveOut: readonly string[] = []): Promise<string[]> {
  await settle(page)
  // Handed over beside the page, as its content policy takes no script of others.
  await page.evaluate(source)
  const rules = Object.fromEntries(leaveOut.map((rule) => [rule, { enabled: false }]))
  const { violations } = await page.evaluate((options) => (Reflect.get(window, 'axe') as typeof axe).run(options), {
    rules,
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  )
}

/** What is still fading in has no colours of its own yet; what moves for ever is looked at as it moves. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
