import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface CheckOptions {
  /** Rules that do not apply. */
  readonly excludedRules?: readonly string[]
  /** The only rules to check, by default all. */
  readonly onlyRules?: string[]
}

/** Returns the axe violations of the page as it is, one line per element. */
export async function checkAccessibility(page: Page, options: CheckOptions = {}): Promise<string[]> {
  const { excludedRules = [], onlyRules } = options
  await waitForAnimations(page)
  // Evaluated directly, because the content security policy of the page blocks foreign scripts.
  await page.evaluate(`if (!window.axe) { ${source} }`)
  const axeOptions: axe.RunOptions = {
    rules: Object.fromEntries(excludedRules.map((rule) => [rule, { enabled: false }])),
    ...(onlyRules && { runOnly: onlyRules }),
  }
  const { violations } = await page.evaluate(
    (given) => (Reflect.get(window, 'axe') as typeof axe).run(given),
    axeOptions,
  )
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
