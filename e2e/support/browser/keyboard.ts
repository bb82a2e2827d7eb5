import { expect, type Page } from '@playwright/test'

/** The target may have to load first. */
const timeoutMs = 30_000

/** Presses Tab, or Shift+Tab, until an element with this name has the focus and checks that it shows a focus ring. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    await page.keyboard.press(key)
    const { label, ring } = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      // While a page is loading, only its body can have the focus.
      if (focused === document.body) return { label: '', ring: 'none' }
      const labels = 'labels' in focused ? [...(focused.labels as NodeListOf<HTMLElement>)] : []
      const names = [focused.ariaLabel, focused.textContent, ...labels.map((one) => one.textContent)]
      return { label: names.join(' '), ring: getComputedStyle(focused).outlineStyle }
    })
    if (label === '' || !name.test(label)) continue
    expect(ring, `focus ring of ${label}`).not.toBe('none')
    return
  }
  throw new Error(`${key} never reached ${name}`)
}
