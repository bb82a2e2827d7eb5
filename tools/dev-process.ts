import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { root } from './bootstrap.mjs'
import { type DebuggerTarget, stopAtBreakpoint } from './breakpoints.ts'
import { connectDevTools } from './devtools-protocol.ts'
import { freePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

export interface DevProcess {
  readonly url: string
  /** Everything it has printed. */
  output(): string
  /** Stops a page at the line with this text, see `stopAtBreakpoint`. */
  stopPageAt(page: Page, file: string, text: string, act: () => Promise<unknown>): Promise<string>
  /** Attaches to the API server and stops it at the line with this text, see `stopAtBreakpoint`. */
  stopServerAt(file: string, text: string, act: () => Promise<unknown>): Promise<string>
  /** Signals the process group, as Ctrl-C does, and resolves when neither the page nor the API server runs. */
  interrupt(): Promise<void>
}

/** Runs `npm run dev` with an empty data folder on a free port, and resolves when it has printed its address. */
export async function startDevProcess(env: Readonly<Record<string, string>> = {}): Promise<DevProcess> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sallyport-dev-'))
  const inspectorPort = await freePort()
  const inspectorUrl = `http://127.0.0.1:${inspectorPort}/json/list`
  const child = spawn('npm', ['run', 'dev', '--', `--inspect=${inspectorPort}`], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env, PORT: String(await freePort()), DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => {
        output += piece
        const printed = /for development: (http\S+)/.exec(output)?.[1]
        if (printed) resolve(printed)
      })
    }
    void exited.then((code) => reject(new Error(`npm run dev exited with ${code}\n${output}`)))
  })

  return {
    url,
    output: () => output,
    async stopPageAt(page, file, text, act) {
      const session = await page.context().newCDPSession(page)
      const target = { send: session.send.bind(session), on: session.on.bind(session) } as unknown as DebuggerTarget
      return stopAtBreakpoint(target, { file, text, sourceUrl: file.replace('apps/web', url) }, act)
    },
    async stopServerAt(file, text, act) {
      const targets = (await (await fetch(inspectorUrl)).json()) as [{ webSocketDebuggerUrl: string }]
      const devTools = await connectDevTools(targets[0].webSocketDebuggerUrl)
      const sourceUrl = pathToFileURL(join(root, file)).href
      return stopAtBreakpoint(devTools, { file, text, sourceUrl }, act).finally(devTools.close)
    },
    async interrupt() {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await exited
      for (const address of [url, inspectorUrl]) {
        await waitUntil(async () => (await fetch(address).catch(() => null)) === null, `${address} to close`)
      }
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
