import { type BrowserContext, expect, type Page } from '@playwright/test'

/** Records the text of every toast: a toast disappears after seconds, which a test on a slow machine can miss. */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: string[] = []
    const lastTexts = new WeakMap<Element, string>()
    const recordVisible = (): void => {
      for (const toast of document.querySelectorAll('.toast')) {
        const text = toast.querySelector('p')?.textContent ?? ''
        if (text === '' || text === lastTexts.get(toast) || !toast.checkVisibility({ visibilityProperty: true }))
          continue
        lastTexts.set(toast, text)
        shown.push(text)
      }
    }
    Object.assign(window, { shownToasts: shown })
    new MutationObserver(recordVisible).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** Expects a toast with this text since the page was loaded; each toast counts once. */
export async function expectToast(page: Page, text: string): Promise<void> {
  const consumeToast = (wanted: string): string[] => {
    const shown = Reflect.get(window, 'shownToasts') as string[]
    const index = shown.indexOf(wanted)
    return index < 0 ? [...shown] : shown.splice(index, 1)
  }
  await expect.poll(() => page.evaluate(consumeToast, text)).toContain(text)
}
