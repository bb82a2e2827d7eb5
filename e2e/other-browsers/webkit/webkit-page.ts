import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { sha256Of } from '../../support/files/random-file.ts'
import { type Driver, startDriver } from './driver.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const defaultTimeoutMs = 20_000

interface FindOptions {
  /** The accessible name of a control. */
  readonly name: string | RegExp
  readonly timeoutMs?: number
}

/** A user in a separate WebKit browser. Every method waits until its target is on the screen. */
export interface WebkitPage {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  click(kind: ControlKind, name: FindOptions['name'], timeoutMs?: number): Promise<void>
  fill(name: FindOptions['name'], text: string): Promise<void>
  chooseFile(path: string): Promise<void>
  /** Waits until a text is on the screen. */
  expectText(text: string | RegExp, timeoutMs?: number): Promise<void>
  /** Waits until a control is on the screen and resolves with its text. */
  readText(kind: ControlKind, name: FindOptions['name']): Promise<string>
  evaluate<Args extends unknown[], Result>(fn: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>
  /** Waits until a file of this name is saved with this SHA-256, in hexadecimal. */
  expectSaved(name: string, sha256: string): Promise<void>
  savedPath(name: string): string
  saveScreenshot(path: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Errors that its pages have reported so far. */
  errors(): string[]
  close(): Promise<void>
}

const controlSelectors = {
  button: 'button:not([role]), [role=button]',
  tab: '[role=tab]',
  link: 'a[href]',
  box: 'input, textarea',
  heading: 'h1, h2, h3',
  log: '[role=log]',
  plates: '.pin-plates',
  file: 'input[type=file]:not([webkitdirectory])',
} as const
type ControlKind = keyof typeof controlSelectors

export async function openWebkitPage(display: string, home: string): Promise<WebkitPage> {
  const driver = await startDriver({ display, home })
  const { command } = driver
  await command('POST', '/timeouts', { script: 60_000, pageLoad: 60_000 })
  await command('POST', '/window/rect', { width: 1280, height: 860 })

  const evaluate: WebkitPage['evaluate'] = async (fn, ...args) => {
    const script = `const given = [...arguments], tell = given.pop()
      Promise.resolve().then(() => (${fn})(...given)).then((done) => tell({ done }), (error) => tell({ failed: String(error) }))`
    const answer = (await command('POST', '/execute/async', { script, args })) as { done: never; failed?: string }
    if (answer.failed !== undefined) throw new Error(answer.failed)
    return answer.done
  }

  async function findControl(
    kind: ControlKind,
    { name, timeoutMs = defaultTimeoutMs }: FindOptions,
  ): Promise<{ readonly id: string }> {
    const pattern = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = (await evaluate(findByName, controlSelectors[kind], pattern)) as unknown as Record<
        string,
        string
      > | null
      if (found) return { id: found[elementKey] ?? '' }
      if (Date.now() > deadline) throw new Error(`No ${kind} has the name ${name}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  return {
    goto: async (url) => void (await command('POST', '/url', { url })),
    reload: async () => void (await command('POST', '/refresh')),
    async click(kind, name, timeoutMs) {
      // An element that is moving cannot be clicked yet.
      await expect(async () => {
        const { id } = await findControl(kind, { name, timeoutMs: 0 })
        await command('POST', `/element/${id}/click`)
      }).toPass({ timeout: timeoutMs ?? defaultTimeoutMs })
    },
    async fill(name, text) {
      const { id } = await findControl('box', { name })
      await command('POST', `/element/${id}/value`, { text })
    },
    async chooseFile(path) {
      const found = (await evaluate((selector) => document.querySelector(selector), controlSelectors.file)) as unknown
      await command('POST', `/element/${(found as Record<string, string>)[elementKey]}/value`, { text: path })
    },
    async expectText(text, timeout = defaultTimeoutMs) {
      // biome-ignore lint/performance/useDomNodeTextContent: only what is on the screen counts.
      const readScreen = () => evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '))
      if (typeof text === 'string') await expect.poll(readScreen, { timeout }).toContain(text)
      else await expect.poll(readScreen, { timeout }).toMatch(text)
    },
    async readText(kind, name) {
      const { id } = await findControl(kind, { name })
      return String(await command('GET', `/element/${id}/text`))
    },
    evaluate,
    async expectSaved(name, sha256) {
      // WebKit creates the file before it has all bytes.
      await expect.poll(() => sha256Of(join(home, name)).catch(() => null), { timeout: 60_000 }).toBe(sha256)
    },
    savedPath: (name) => join(home, name),
    saveScreenshot: async (path) => writeFile(path, Buffer.from(String(await command('GET', '/screenshot')), 'base64')),
    resize: async (width, height) => void (await command('POST', '/window/rect', { width, height })),
    errors: () => consoleErrors(driver),
    close: driver.close,
  }
}

/** Runs in the page. */
function findByName(selector: string, pattern: string): Element | undefined {
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    ('labels' in element
      ? [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent)[0]
      : null) ??
    element.textContent
  const isShown = (element: Element) =>
    element.checkVisibility() && !element.closest('[inert], [aria-hidden=true]') && !element.matches(':disabled')
  return [...document.querySelectorAll(selector)].find(
    (element) => isShown(element) && new RegExp(pattern).test((nameOf(element) ?? '').replace(/\s+/g, ' ').trim()),
  )
}

const consoleErrors = (driver: Driver): string[] =>
  driver
    .consoleOutput()
    .split('\n')
    .filter((line) => /CONSOLE .*(ERROR|violat|refused|unhandled)/i.test(line))
