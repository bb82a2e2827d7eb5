import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { sha256Of } from '../../support/random-file.ts'
import { type Driver, startDriver } from './driver.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const patienceMs = 20_000

interface Look {
  /** A name is what a control is called by, for people who see it or hear it. */
  readonly name: string | RegExp
  readonly timeoutMs?: number
}

/** Somebody at a WebKit of their own. Everything waits until what it is about is on the screen. */
export interface Visitor {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  press(kind: Kind, name: Look['name'], timeoutMs?: number): Promise<void>
  fill(name: Look['name'], text: string): Promise<void>
  chooseFile(path: string): Promise<void>
  /** Waits until a text is on the screen. */
  see(text: string | RegExp, timeoutMs?: number): Promise<void>
  /** Waits until a control is on the screen, and gives its text. */
  readText(kind: Kind, name: Look['name']): Promise<string>
  evaluate<Args extends unknown[], Result>(work: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>
  /** Waits until a file of this name is saved with this SHA-256, in hexadecimal. */
  expectSaved(name: string, sha256: string): Promise<void>
  pathOfSaved(name: string): string
  picture(path: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** What its pages have complained of so far. */
  complaints(): string[]
  close(): Promise<void>
}

const kinds = {
  button: 'button:not([role]), [role=button]',
  tab: '[role=tab]',
  link: 'a[href]',
  box: 'input, textarea',
  heading: 'h1, h2, h3',
  log: '[role=log]',
  plates: '.pin-plates',
  file: 'input[type=file]:not([webkitdirectory])',
} as const
type Kind = keyof typeof kinds

export async function openVisitor(display: string, home: string): Promise<Visitor> {
  const driver = await startDriver({ display, home })
  const { command } = driver
  await command('POST', '/timeouts', { script: 60_000, pageLoad: 60_000 })
  await command('POST', '/window/rect', { width: 1280, height: 860 })

  const evaluate: Visitor['evaluate'] = async (work, ...args) => {
    const script = `const given = [...arguments], tell = given.pop()
      Promise.resolve().then(() => (${work})(...given)).then((done) => tell({ done }), (error) => tell({ failed: String(error) }))`
    const answer = (await command('POST', '/execute/async', { script, args })) as { done: never; failed?: string }
    if (answer.failed !== undefined) throw new Error(answer.failed)
    return answer.done
  }

  async function find(kind: Kind, { name, timeoutMs = patienceMs }: Look): Promise<{ readonly id: string }> {
    const pattern = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source
    const until = Date.now() + timeoutMs
    for (;;) {
      const found = (await evaluate(findByName, kinds[kind], pattern)) as unknown as Record<string, string> | null
      if (found) return { id: found[elementKey] ?? '' }
      if (Date.now() > until) throw new Error(`No ${kind} is called ${name}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  return {
    goto: async (url) => void (await command('POST', '/url', { url })),
    reload: async () => void (await command('POST', '/refresh')),
    async press(kind, name, timeoutMs) {
      // What moves just now cannot be pressed yet.
      await expect(async () => {
        const { id } = await find(kind, { name, timeoutMs: 0 })
        await command('POST', `/element/${id}/click`)
      }).toPass({ timeout: timeoutMs ?? patienceMs })
    },
    async fill(name, text) {
      const { id } = await find('box', { name })
      await command('POST', `/element/${id}/value`, { text })
    },
    async chooseFile(path) {
      const found = (await evaluate((selector) => document.querySelector(selector), kinds.file)) as unknown
      await command('POST', `/element/${(found as Record<string, string>)[elementKey]}/value`, { text: path })
    },
    async see(text, timeout = patienceMs) {
      // biome-ignore lint/performance/useDomNodeTextContent: only what is on the screen counts.
      const look = () => evaluate(() => document.body.innerText.replaceAll('\u00a0', ' '))
      if (typeof text === 'string') await expect.poll(look, { timeout }).toContain(text)
      else await expect.poll(look, { timeout }).toMatch(text)
    },
    async readText(kind, name) {
      const { id } = await find(kind, { name })
      return String(await command('GET', `/element/${id}/text`))
    },
    evaluate,
    async expectSaved(name, sha256) {
      // WebKit takes the name before it has the bytes.
      await expect.poll(() => sha256Of(join(home, name)).catch(() => null), { timeout: 60_000 }).toBe(sha256)
    },
    pathOfSaved: (name) => join(home, name),
    picture: async (path) => writeFile(path, Buffer.from(String(await command('GET', '/screenshot')), 'base64')),
    resize: async (width, height) => void (await command('POST', '/window/rect', { width, height })),
    complaints: () => complaintsIn(driver),
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

const complaintsIn = (driver: Driver): string[] =>
  driver
    .written()
    .split('\n')
    .filter((line) => /CONSOLE .*(ERROR|violat|refused|unhandled)/i.test(line))
