import { type BrowserContext, expect, type Page } from '@playwright/test'

/** Notes the words of every toast a page shows: one is gone after seconds, which a machine that stalls may not look in. */
export async function noteToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: string[] = []
    const words = new WeakMap<Element, string>()
    const note = (): void => {
      for (const toast of document.querySelectorAll('.toast')) {
        const text = toast.querySelector('p')?.textContent ?? ''
        if (text === '' || text === words.get(toast) || !toast.checkVisibility({ visibilityProperty: true })) continue
        words.set(toast, text)
        shown.push(text)
      }
    }
    Object.assign(window, { shownToasts: shown })
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** A toast says this, or has said it since the page was loaded; each toast counts once. */
export async function expectToast(page: Page, words: string): Promise<void> {
  const takeWords = (wanted: string): string[] => {
    const shown = Reflect.get(window, 'shownToasts') as string[]
    const place = shown.indexOf(wanted)
    return place < 0 ? [...shown] : shown.splice(place, 1)
  }
  await expect.poll(() => page.evaluate(takeWords, words)).toContain(words)
}
