import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the axe violations of the page as it is, one line per element; rules that do not apply can be excluded. */
export async function checkAccessibility(page: Page, excludedRules: readonly string[] = []): Promise<string[]> {
  await waitForAnimations(page)
  // Evaluated directly, because the content security policy of the page blocks foreign scripts.
  await page.evaluate(source)
  const rules = Object.fromEntries(excludedRules.map((rule) => [rule, { enabled: false }]))
  const { violations } = await page.evaluate((options) => (Reflect.get(window, 'axe') as typeof axe).run(options), {
    rules,
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  )
}

/** Waits for finite animations, as an element that is fading in has no final colours yet; infinite ones keep running. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished))
  })
}
