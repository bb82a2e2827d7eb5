import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, createAccount } from '../e2e/support/account.ts'
import { makeRandomFile, type RandomFile } from '../e2e/support/random-file.ts'
import { buildPageOnce } from '../tools/build-page.ts'
import { type Browser, openBrowser, type Page } from './devtools.ts'
import { filePicker } from './files-page.ts'
import { type BenchServer, type ServerWishes, startServer } from './server.ts'

/** So much goes each way before what counts, for code to be met and places to be found. */
export const warmUpBytes = 24e6

export interface Workbench {
  readonly server: BenchServer
  readonly account: Account
  /** For what the benches keep while they run. */
  readonly folder: string
  makeFile(name: string, bytes: number): Promise<RandomFile>
  /** Opens a browser that has never been here, signed in to the account, does the work in it and closes it. */
  inBrowser<Result>(work: (browser: Browser, page: Page) => Promise<Result>, url?: string): Promise<Result>
}

/** The real server with the built page and an account, for as long as the work takes. */
export async function onWorkbench<Result>(
  work: (workbench: Workbench) => Promise<Result>,
  wishes: ServerWishes = {},
): Promise<Result> {
  await buildPageOnce()
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-files-'))
  const server = await startServer(wishes)
  try {
    const account = await createAccount(server.url)
    return await work({
      server,
      account,
      folder,
      makeFile: (name, bytes) => makeRandomFile({ folder, name, bytes }),
      async inBrowser(use, url = server.url) {
        const browser = await openBrowser()
        try {
          return await use(browser, await signIn(browser, url, account))
        } finally {
          await browser.close()
        }
      },
    })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function signIn(browser: Browser, url: string, { email, password }: Account): Promise<Page> {
  const page = await browser.open(url)
  await page.appears('input[name=email]')
  await page.type('input[name=email]', email)
  await page.type('input[name=password]', password)
  await page.run(() => document.querySelector<HTMLElement>('form button[type=submit]')?.click())
  await page.appears(filePicker)
  return page
}
