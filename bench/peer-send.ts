import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from './devtools.ts'
import { freePort } from './free-port.ts'

export interface PeerSend {
  readonly url: string
  readonly processId: number
  stop(): Promise<void>
}

/** Why timvisee/send cannot be run from this folder, or null when it can. */
export function whyNotSend(folder: string | undefined): string | null {
  if (folder === undefined) return 'no --peer-send <folder>'
  if (!existsSync(join(folder, 'dist', 'manifest.json'))) return `${folder} is not built`
  return null
}

/** Starts timvisee/send as its own documents say, with a Redis of its own and files on this machine's disk. */
export async function startSend(folder: string, node: string): Promise<PeerSend> {
  const kept = mkdtempSync(join(tmpdir(), 'sallyport-bench-send-'))
  const [port, redisPort] = [await freePort(), await freePort()]
  const redis = run(
    'redis-server',
    ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', kept],
    kept,
  )
  const url = `http://127.0.0.1:${port}`
  const peer = run(node, ['server/bin/prod.js'], folder, {
    NODE_ENV: 'production',
    IP_ADDRESS: '127.0.0.1',
    PORT: String(port),
    BASE_URL: url,
    FILE_DIR: kept,
    // A link may be used by every round.
    DEFAULT_DOWNLOADS: '100',
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: String(redisPort),
  })
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (peer.hasEnded() || redis.hasEnded()) throw new Error('timvisee/send did not start')
    await pause(50)
  }
  return {
    url,
    processId: peer.processId,
    async stop() {
      await peer.stop()
      await redis.stop()
      rmSync(kept, { recursive: true, force: true })
    },
  }
}

/** Uploads through its page; gives seconds from the press of the button until the link is shown, and the link. */
export async function uploadToSend(page: Page, path: string): Promise<{ seconds: number; link: string }> {
  await page.chooseFiles('#file-upload', [path])
  await page.appears('#upload-btn')
  return page.run(
    () =>
      new Promise<{ seconds: number; link: string }>((resolve) => {
        const startedAt = performance.now()
        const observer = new MutationObserver(() => {
          const shown = document.querySelector<HTMLInputElement>('#share-url')
          if (!shown) return
          observer.disconnect()
          resolve({ seconds: (performance.now() - startedAt) / 1000, link: shown.value })
        })
        observer.observe(document.body, { childList: true, subtree: true })
        document.querySelector<HTMLElement>('#upload-btn')?.click()
      }),
  )
}

/** Opens its page for uploading. */
export async function openSend(browser: Browser, url: string): Promise<Page> {
  const page = await browser.open(url)
  await page.appears('#file-upload')
  return page
}

/** Opens a link of its, up to where a button offers the download. */
export async function openDownloadFromSend(browser: Browser, link: string): Promise<Page> {
  const page = await browser.open(link)
  await page.appears('#download-btn')
  return page
}

export const pressDownload = (page: Page): Promise<void> =>
  page.run(() => document.querySelector<HTMLElement>('#download-btn')?.click())

function run(command: string, words: readonly string[], cwd: string, environment: Record<string, string> = {}) {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...environment }, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  return {
    processId: child.pid ?? 0,
    hasEnded: () => child.pid === undefined || child.exitCode !== null,
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', endWithUs)
    },
  }
}
