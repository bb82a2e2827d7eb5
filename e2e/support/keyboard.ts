import { expect, type Page } from '@playwright/test'

/** What is walked to may have to be loaded first. */
const patienceMs = 30_000

/** Walks on by the Tab key until what has this name is reached, and sees that it shows so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    await page.keyboard.press('Tab')
    const { label, ring } = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      // While a page is loading, nothing but all of it can be reached.
      if (focused === document.body) return { label: '', ring: 'none' }
      const labels = 'labels' in focused ? [...(focused.labels as NodeListOf<HTMLElement>)] : []
      const said = [focused.ariaLabel, focused.textContent, ...labels.map((one) => one.textContent)]
      return { label: said.join(' '), ring: getComputedStyle(focused).outlineStyle }
    })
    if (label === '' || !name.test(label)) continue
    expect(ring, `focus ring of ${label}`).not.toBe('none')
    return
  }
  throw new Error(`The Tab key never reached ${name}`)
}
