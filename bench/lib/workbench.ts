import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, createAccount } from '../../e2e/support/account/account.ts'
import { makeRandomFile, type RandomFile } from '../../e2e/support/files/random-file.ts'
import { buildPageOnce } from '../../tools/build-page.ts'
import { filePicker } from '../browser/files-page.ts'
import { type Browser, type Page, withBrowser } from './devtools.ts'
import { type BenchServer, type BenchServerOptions, startServer } from './server.ts'

/** Bytes of each transfer that warms up code and caches before a measured run. */
export const warmUpBytes = 24e6

export interface BenchEnvironment {
  readonly server: BenchServer
  readonly account: Account
  /** Temporary folder for the files of a benchmark. */
  readonly folder: string
  makeFile(name: string, bytes: number): Promise<RandomFile>
  /** Opens a new browser, signs in to the account, runs the work and closes the browser. */
  inBrowser<Result>(work: (browser: Browser, page: Page) => Promise<Result>, url?: string): Promise<Result>
}

/** Runs the work with the real server, the built page and an account. */
export async function withBenchEnvironment<Result>(
  work: (workbench: BenchEnvironment) => Promise<Result>,
  options: BenchServerOptions = {},
): Promise<Result> {
  await buildPageOnce()
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-files-'))
  const server = await startServer(options)
  try {
    const account = await createAccount(server.url)
    return await work({
      server,
      account,
      folder,
      makeFile: (name, bytes) => makeRandomFile({ folder, name, bytes }),
      inBrowser: (task, url = server.url) =>
        withBrowser(async (browser) => task(browser, await signIn(browser, url, account))),
    })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function signIn(browser: Browser, url: string, { email, password }: Account): Promise<Page> {
  const page = await browser.open(url)
  await page.waitForSelector('input[name=email]')
  await page.type('input[name=email]', email)
  await page.type('input[name=password]', password)
  await page.run(() => document.querySelector<HTMLElement>('form button[type=submit]')?.click())
  await page.waitForSelector(filePicker)
  return page
}
