import { spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts } from '@sallyport/contract/accounts'
import { type Account, createAccount } from '../e2e/support/account.ts'
import { type Browser, openBrowser, type Page } from './devtools.ts'

const entry = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const lifetimeMinutes = 1440
const megabyte = 1024 * 1024

/** A real server, a browser with somebody signed in to the built page, and a folder for files. */
export interface Stage {
  readonly url: string
  readonly serverId: number
  readonly account: Account
  readonly browser: Browser
  readonly page: Page
  readonly folder: string
}

/** Sets the stage, hands it to the work, and clears it away. */
export async function withStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
  const server = await startServer(join(folder, 'data'))
  const browser = await openBrowser()
  try {
    const account = await createAccount(server.url)
    await account.call(accounts.saveSettings, { body: { defaultExpirationMinutes: lifetimeMinutes } })
    const page = await browser.open(server.url)
    await signIn(page, account)
    await work({ ...server, account, browser, page, folder })
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a file of random bytes and leaves it in the page cache, where every run finds it. */
export function makeFile(path: string, byteCount: number): string {
  const piece = randomFillSync(Buffer.alloc(8 * megabyte))
  writeFileSync(path, '')
  for (let left = byteCount; left > 0; left -= piece.length) {
    writeFileSync(path, piece.subarray(0, Math.min(left, piece.length)), { flag: 'a' })
  }
  return path
}

async function startServer(dataFolder: string) {
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataFolder, SALLYPORT_FAILPOINT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
    child.stdout.on('data', (piece) => {
      const found = /"url":"(http:[^"]+)"/.exec(String(piece))?.[1]
      if (found) resolve(found)
    })
  })
  return {
    url,
    serverId: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await waitFor(page, 'input[type=email]')
  await page.type('input[type=email]', email)
  await page.type('input[type=password]', password)
  await page.run(() => document.querySelector<HTMLButtonElement>('form button[type=submit]')?.click())
  await waitFor(page, 'input[type=file]')
}

/** Settles once the page shows what the selector names. */
const waitFor = (page: Page, selector: string): Promise<void> =>
  page.run(
    (wanted) =>
      new Promise<void>((resolve) => {
        const look = () => (document.querySelector(wanted) ? resolve() : setTimeout(look, 20))
        look()
      }),
    selector,
  )
