import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { type PeerServer, superviseChild } from '../lib/child-process.ts'
import type { Browser, Page } from '../lib/devtools.ts'

/** Returns why timvisee/send cannot run from this folder, or null if it can. */
export function sendProblem(folder: string | undefined): string | null {
  if (folder === undefined) return 'no --peer-send <folder>'
  if (!existsSync(join(folder, 'dist', 'manifest.json'))) return `${folder} is not built`
  return null
}

/** Starts timvisee/send as its documentation describes, with a dedicated Redis and files on the local disk. */
export async function startSend(folder: string, node: string): Promise<PeerServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-bench-send-'))
  const [port, redisPort] = [await freePort(), await freePort()]
  const redis = startProcess(
    'redis-server',
    ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', dataFolder],
    dataFolder,
  )
  const url = `http://127.0.0.1:${port}`
  const peer = startProcess(node, ['server/bin/prod.js'], folder, {
    NODE_ENV: 'production',
    IP_ADDRESS: '127.0.0.1',
    PORT: String(port),
    BASE_URL: url,
    FILE_DIR: dataFolder,
    // Every round downloads through the same link.
    DEFAULT_DOWNLOADS: '100',
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: String(redisPort),
  })
  const failed = redis.exited.then(() => {
    throw new Error('redis-server exited')
  })
  await Promise.race([peer.untilServing(url), failed])
  return {
    url,
    processId: peer.processId,
    async stop() {
      await peer.stop()
      await redis.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Uploads through its page; resolves to the link and the seconds from the click until the link is shown. */
export async function uploadToSend(page: Page, path: string): Promise<{ seconds: number; link: string }> {
  await page.chooseFiles('#file-upload', [path])
  await page.waitForSelector('#upload-btn')
  return page.run(
    () =>
      new Promise<{ seconds: number; link: string }>((resolve) => {
        const startedAt = performance.now()
        const observer = new MutationObserver(() => {
          const linkInput = document.querySelector<HTMLInputElement>('#share-url')
          if (!linkInput) return
          observer.disconnect()
          resolve({ seconds: (performance.now() - startedAt) / 1000, link: linkInput.value })
        })
        observer.observe(document.body, { childList: true, subtree: true })
        document.querySelector<HTMLElement>('#upload-btn')?.click()
      }),
  )
}

/** Opens the upload page. */
export async function openSend(browser: Browser, url: string): Promise<Page> {
  const page = await browser.open(url)
  await page.waitForSelector('#file-upload')
  return page
}

/** Opens a download link, and waits for the download button. */
export async function openDownloadFromSend(browser: Browser, link: string): Promise<Page> {
  const page = await browser.open(link)
  await page.waitForSelector('#download-btn')
  return page
}

export const clickDownload = (page: Page): Promise<void> =>
  page.run(() => document.querySelector<HTMLElement>('#download-btn')?.click())

const startProcess = (
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
) => superviseChild(spawn(command, args, { cwd, env: { ...process.env, ...environment }, stdio: 'ignore' }))
