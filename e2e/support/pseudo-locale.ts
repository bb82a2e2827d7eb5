import { type BrowserContext, expect, type Page } from '@playwright/test'
import { compileCatalogue, flatten, writeCatalogue } from '../../tools/strings/catalogue.ts'
import { readPageStrings } from '../../tools/strings/page-sources.ts'
import { pseudoLocales } from '../../tools/strings/pseudo-locales.ts'
import type { Account } from './account/account.ts'

/** Returns the text of a string in the pseudo-locale, such as `strings('chat.title')`. */
export type PseudoStrings = (key: string, values?: Readonly<Record<string, string>>) => string

/** Has the pages of a context load a pseudo-locale, which no server has. Returns its strings. */
export async function usePseudoLocale(context: BrowserContext, tag: string): Promise<PseudoStrings> {
  const { messages } = readPageStrings()
  const catalogue = writeCatalogue(messages, pseudoLocales[tag])
  const compiled = compileCatalogue(messages, catalogue, tag)
  await context.route(`**/locales/${tag}.json`, (route) => route.fulfill({ json: compiled }))
  await context.addInitScript((locale) => {
    // An empty page has no storage.
    if (location.protocol === 'http:') localStorage.setItem('locale', locale)
  }, tag)
  const texts = flatten(catalogue)
  return (key, values = {}) => {
    const text = texts.get(key)
    if (text === undefined) throw new Error(`No string is called ${key}`)
    return text.replace(/\{\{(\w+).*?\}\}/g, (_, name: string) => `\u2068${values[name]}\u2069`)
  }
}

/** Signs in on a page that shows these strings. */
export async function signInWith(page: Page, strings: PseudoStrings, { email, password }: Account): Promise<void> {
  await page.goto('/')
  await page.getByRole('textbox', { name: strings('signIn.identifier') }).fill(email)
  await page.getByLabel(strings('controls.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: strings('signIn.button'), exact: true }).click()
  await expect(page.getByRole('heading', { name: strings('file.heading') })).toBeVisible()
}

export interface ScreenCheck {
  /** Reads the screen that is shown, at both widths. */
  readonly check: (screen: string) => Promise<void>
  /** The untranslated texts found so far, each with its screen. */
  readonly found: readonly string[]
}

/** Pages keep the last one. */
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]

/** Looks for texts that are not translated on the screens of a page. What users have written may be shown as it is. */
export function createScreenCheck(page: Page, userData: readonly string[]): ScreenCheck {
  const found: string[] = []
  return {
    found,
    async check(screen) {
      for (const size of sizes) {
        await page.setViewportSize(size)
        const english = await findEnglish(page, userData)
        found.push(...english.map((text) => `${screen} at ${size.width} px: ${text}`))
      }
    },
  }
}

/** What may be shown without brackets, besides what users and the operator have written. */
const untranslated = [
  /Sallyport|404 Not Found/g,
  // Sizes, and dates as `Intl` writes them.
  /\b[\d.,]+ ?(Bytes|[KMG]?B(\/s)?)\b/g,
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\p{L}* \d{1,2}|\b[AP]M\b/gu,
  // Initials, codes, bytes in hex, and keys.
  /^[A-Z0-9]{1,2}$/g,
  /\b[A-Z0-9]{4,}\b|\b[0-9a-f]{4}\b/g,
  /Ctrl\+[A-Z]|⌘/g,
  // Answers of the server, which every client gets in English.
  /File not found or expired|\bTrial\b|\bPersonal\b|\bBusiness\b/g,
]

/** Returns the texts and labels of the page that are not in brackets and so were not translated. */
async function findEnglish(page: Page, userData: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts = [document.title]
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility() || element.matches('script, style, noscript')) continue
      for (const name of ['aria-label', 'aria-valuetext', 'aria-roledescription', 'placeholder', 'title', 'alt'])
        texts.push(element.getAttribute(name) ?? '')
      for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) texts.push(child.textContent ?? '')
    }
    return [...new Set(texts)]
  })
  return shown.filter((text) => {
    const rest = [...userData, ...untranslated].reduce<string>((left, known) => left.replaceAll(known, ''), text)
    return /\p{L}/u.test(withoutBrackets(rest))
  })
}

function withoutBrackets(text: string): string {
  const shorter = text.replace(/\[[^[\]]*\]/g, '')
  return shorter === text ? text : withoutBrackets(shorter)
}
