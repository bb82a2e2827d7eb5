import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import type { Pair } from './portal-pages.ts'

export interface PeerPairDrop {
  readonly url: string
  readonly processId: number
  stop(): Promise<void>
}

/** Why PairDrop cannot be run from this folder, or null when it can. */
export function whyNotPairDrop(folder: string | undefined): string | null {
  if (folder === undefined) return 'no --peer-pairdrop <folder>'
  if (!existsSync(join(folder, 'node_modules', 'express'))) return `${folder} is not installed`
  return null
}

/** Starts PairDrop as its own documents say, without the servers on the internet that it asks for addresses. */
export async function startPairDrop(folder: string): Promise<PeerPairDrop> {
  const kept = mkdtempSync(join(tmpdir(), 'sallyport-bench-pairdrop-'))
  const connections = join(kept, 'rtc.json')
  writeFileSync(connections, JSON.stringify({ sdpSemantics: 'unified-plan', iceServers: [] }))
  const port = await freePort()
  const child = spawn(process.execPath, ['server/index.js', '--localhost-only'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), RTC_CONFIG: connections },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const url = `http://localhost:${port}`
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('PairDrop did not start')
    await pause(50)
  }
  return {
    url,
    processId: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', endWithUs)
      rmSync(kept, { recursive: true, force: true })
    },
  }
}

const askAgainMs = 5000

/** Sends a file from page to page; gives seconds from the press on Accept until the receiving page has all bytes. */
export async function sendThroughPairDrop({ sender, receiver }: Pair, path: string): Promise<number> {
  // Both find each other by themselves, since they come from the same address.
  for (const { page } of [sender, receiver]) await page.appears('x-peer input[type=file]')
  const asked = receiver.page.appears('#receive-request-dialog[show]').then(() => true)
  const seconds = receiver.page.run(
    () =>
      new Promise<number>((resolve) => {
        let acceptedAt = 0
        addEventListener('files-received', () => resolve((performance.now() - acceptedAt) / 1000), { once: true })
        const observer = new MutationObserver(look)
        observer.observe(document, { childList: true, subtree: true, attributes: true })
        function look() {
          const accept = document.querySelector<HTMLButtonElement>('#receive-request-dialog[show] #accept-request')
          if (!accept || accept.disabled) return
          observer.disconnect()
          acceptedAt = performance.now()
          accept.click()
        }
      }),
  )
  // A file that is chosen before the two are connected is forgotten.
  do await sender.page.chooseFiles('x-peer input[type=file]', [path])
  while (!(await Promise.race([asked, pause(askAgainMs, false)])))
  return seconds
}
