import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.ts'
import type { BrowserPair } from '../browser/portal-pages.ts'
import { type PeerServer, superviseChild } from '../lib/child-process.ts'

/** Returns why PairDrop cannot run from this folder, or null if it can. */
export function pairDropProblem(folder: string | undefined): string | null {
  if (folder === undefined) return 'no --peer-pairdrop <folder>'
  if (!existsSync(join(folder, 'node_modules', 'express'))) return `${folder} is not installed`
  return null
}

/** Starts PairDrop as its documentation describes, without external STUN servers. */
export async function startPairDrop(folder: string): Promise<PeerServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-bench-pairdrop-'))
  const rtcConfigPath = join(dataFolder, 'rtc.json')
  writeFileSync(rtcConfigPath, JSON.stringify({ sdpSemantics: 'unified-plan', iceServers: [] }))
  const port = await freePort()
  const child = superviseChild(
    spawn(process.execPath, ['server/index.js', '--localhost-only'], {
      cwd: folder,
      env: { ...process.env, PORT: String(port), RTC_CONFIG: rtcConfigPath },
      stdio: 'ignore',
    }),
  )
  const url = `http://localhost:${port}`
  await child.untilServing(url)
  return {
    url,
    processId: child.processId,
    async stop() {
      await child.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

const retryMs = 5000

/** Sends a file from page to page; resolves to the seconds from the click on Accept until the receiver has all bytes. */
export async function sendThroughPairDrop({ sender, receiver }: BrowserPair, path: string): Promise<number> {
  // PairDrop connects devices with the same IP address automatically.
  for (const { page } of [sender, receiver]) await page.waitForSelector('x-peer input[type=file]')
  const requested = receiver.page.waitForSelector('#receive-request-dialog[show]').then(() => true)
  const seconds = receiver.page.run(
    () =>
      new Promise<number>((resolve) => {
        let acceptedAt = 0
        addEventListener('files-received', () => resolve((performance.now() - acceptedAt) / 1000), { once: true })
        const observer = new MutationObserver(tryAccept)
        observer.observe(document, { childList: true, subtree: true, attributes: true })
        function tryAccept() {
          const accept = document.querySelector<HTMLButtonElement>('#receive-request-dialog[show] #accept-request')
          if (!accept || accept.disabled) return
          observer.disconnect()
          acceptedAt = performance.now()
          accept.click()
        }
      }),
  )
  // PairDrop ignores a file that is selected before the two are connected.
  do await sender.page.chooseFiles('x-peer input[type=file]', [path])
  while (!(await Promise.race([requested, pause(retryMs, false)])))
  return seconds
}
