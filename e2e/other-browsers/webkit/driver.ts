import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { freePort } from '../../../tools/free-port.ts'

const driver = process.env['WEBKIT_DRIVER_PATH'] ?? '/usr/bin/WebKitWebDriver'
const browser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const xvfb = '/usr/bin/Xvfb'

/** The programs that journeys in WebKit need, and the Debian packages they come with. */
export const webkitPrograms = [
  [driver, 'webkit2gtk-driver'],
  [browser, 'webkit2gtk-driver'],
  [xvfb, 'xvfb'],
] as const

export interface VirtualDisplay {
  /** The value of `DISPLAY`. */
  readonly name: string
  close(): Promise<void>
}

/** Starts a virtual display with the first free number. */
export async function startVirtualDisplay(): Promise<VirtualDisplay> {
  const child = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await Promise.race([
    once(child.stdio[3] as Readable, 'data').then(([name]) => name),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`Xvfb exited with ${code}`))),
  ])
  return { name: `:${String(number).trim()}`, close: () => stop(child) }
}

/** Sends one command to the browser; rejects with the error message of the driver. */
type SendCommand = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export interface Driver {
  readonly command: SendCommand
  /** Console output of the browser. */
  consoleOutput(): string
  close(): Promise<void>
}

/** Starts an isolated browser that saves downloads in `home`. */
export async function startDriver({ display, home }: { display: string; home: string }): Promise<Driver> {
  const port = await freePort()
  const child = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, HOME: home, NO_AT_BRIDGE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let consoleOutput = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      consoleOutput += piece
    })
  }
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin)
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true']
  const capabilities = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: browser, args } }
  const created = await send(`${origin}/session`, 'POST', { capabilities: { alwaysMatch: capabilities } })
  const base = `${origin}/session/${(created as { sessionId: string }).sessionId}`

  return {
    command: (method, path, body) => send(base + path, method, body),
    consoleOutput: () => consoleOutput,
    async close() {
      await send(base, 'DELETE')
      await stop(child)
    },
  }
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) })
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
  if (!response.ok) throw new Error(`${value?.error}: ${value?.message}`)
  return value
}

const maxTries = 600

async function waitUntilReady(origin: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`${origin}/status`)
      return
    } catch (error) {
      if (tries === maxTries) throw new Error('WebKitWebDriver does not answer', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
