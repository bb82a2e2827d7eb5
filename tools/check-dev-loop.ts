// `npm run dev:check`: measures how soon an edited sentence is on the screen and an edited line is in the server, and
// stops at breakpoints in TypeScript sources of both. The edited files are restored.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { root } from './bootstrap.mjs'
import { type DevProcess, startDevProcess } from './dev-process.ts'
import { findChromium } from './system-packages.ts'
import { waitUntil } from './wait-until.ts'

const rounds = 5
const targetMs = 1000
const sentence = { file: 'apps/web/src/strings/account/privacy-summary.ts', text: 'What the server sees' }
const serverLine = { file: 'apps/server/src/platform/monitoring/operator-pages.ts', text: 'User-agent: *' }
const pageBreakpoint = { file: 'apps/web/src/features/account/landing/landing-page.tsx', text: 'setHasOpened(true)' }
const serverBreakpoint = {
  file: 'apps/server/src/platform/monitoring/system.routes.ts',
  text: 'if (isStopping()) throw',
}

/** The original contents of edited files. */
const originals = new Map<string, string>()

function edit(file: string, from: string, to: string): void {
  const path = join(root, file)
  const original = originals.get(path) ?? readFileSync(path, 'utf8')
  if (!original.includes(from)) throw new Error(`${file} does not contain "${from}"`)
  originals.set(path, original)
  writeFileSync(path, original.replace(from, to))
}

function restoreFiles(): void {
  for (const [path, original] of originals) writeFileSync(path, original)
}

/** The time from writing an edited sentence to its presence on the page, in ms. */
async function timeSentence(page: Page, round: number): Promise<number> {
  const edited = `${sentence.text}, edit ${round}`
  const shown = page.evaluate(
    (text) =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          if (!document.body.textContent.includes(text)) return
          observer.disconnect()
          resolve()
        }).observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
    edited,
  )
  const started = performance.now()
  edit(sentence.file, sentence.text, edited)
  await shown
  return performance.now() - started
}

/** The time from writing an edited line of the server to its first response with it, in ms. */
async function timeServer(url: string): Promise<number> {
  const started = performance.now()
  edit(serverLine.file, serverLine.text, 'User-agent: edited')
  const readRobots = async () => (await fetch(`${url}/robots.txt`)).text()
  await waitUntil(async () => (await readRobots()).includes('edited'), 'the edited line in /robots.txt')
  return performance.now() - started
}

async function check(dev: DevProcess, page: Page): Promise<boolean> {
  await page.goto(dev.url)
  await page.getByText(sentence.text).waitFor()
  const times: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    times.push(await timeSentence(page, round))
    await wait(500)
  }
  restoreFiles()
  await page.getByText(sentence.text, { exact: true }).waitFor()
  console.log(`an edited sentence is on the screen after ${times.map((time) => time.toFixed(0)).join(', ')} ms`)

  const click = () => page.getByRole('button', { name: sentence.text }).click()
  const pageStop = await dev.stopPageAt(page, pageBreakpoint.file, pageBreakpoint.text, click)
  console.log(`the page stopped at ${pageStop}`)
  const request = () => fetch(`${dev.url}/readyz`)
  const serverStop = await dev.stopServerAt(serverBreakpoint.file, serverBreakpoint.text, request)
  console.log(`the server stopped at ${serverStop}`)
  console.log(`an edited line is in the server after ${(await timeServer(dev.url)).toFixed(0)} ms`)
  return times.every((time) => time < targetMs)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
process.once('exit', restoreFiles)
const dev = await startDevProcess()
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--headless', '--no-sandbox'] })
try {
  const isFast = await check(dev, await browser.newPage())
  if (!isFast) console.error(`An edited sentence took longer than ${targetMs} ms`)
  process.exitCode = isFast ? 0 : 1
} finally {
  restoreFiles()
  await browser.close()
  const started = performance.now()
  await dev.interrupt()
  console.log(`Ctrl-C ended everything after ${(performance.now() - started).toFixed(0)} ms`)
}
