import { expect, type Page } from '@playwright/test'

/** Walks on by the Tab key until what has this name is reached, and sees that it shows so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab')
    const { label, ring } = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      const labels = 'labels' in focused ? [...(focused.labels as NodeListOf<HTMLElement>)] : []
      const said = [focused.ariaLabel, focused.textContent, ...labels.map((one) => one.textContent)]
      return { label: said.join(' '), ring: getComputedStyle(focused).outlineStyle }
    })
    if (!name.test(label)) continue
    expect(ring, `focus ring of ${label}`).not.toBe('none')
    return
  }
  throw new Error(`The Tab key never reached ${name}`)
}
