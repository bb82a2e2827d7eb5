import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'

const driver = process.env['WEBKIT_DRIVER_PATH'] ?? '/usr/bin/WebKitWebDriver'
const browser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const screen = '/usr/bin/Xvfb'

/** The programs that journeys in WebKit need, and the Debian packages they come with. */
export const webkitPrograms = [
  [driver, 'webkit2gtk-driver'],
  [browser, 'webkit2gtk-driver'],
  [screen, 'xvfb'],
] as const

export interface Screen {
  /** The value of `DISPLAY`. */
  readonly name: string
  close(): Promise<void>
}

/** A screen in memory, under the first number that is free. */
export async function openScreen(): Promise<Screen> {
  const child = spawn(screen, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await once(child.stdio[3] as Readable, 'data')
  return { name: `:${String(number).trim()}`, close: () => end(child) }
}

/** Sends one command to the browser; rejects with what the driver says of one that failed. */
type Command = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export interface Driver {
  readonly command: Command
  /** All that the browser's consoles have said. */
  written(): string
  close(): Promise<void>
}

/** Starts a browser of its own, which knows nothing of others and saves into the given folder. */
export async function startDriver({ display, home }: { display: string; home: string }): Promise<Driver> {
  const port = await freePort()
  const child = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, HOME: home, NO_AT_BRIDGE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      written += piece
    })
  }
  const origin = `http://127.0.0.1:${port}`
  await untilReady(origin)
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true']
  const wanted = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: browser, args } }
  const made = await send(`${origin}/session`, 'POST', { capabilities: { alwaysMatch: wanted } })
  const base = `${origin}/session/${(made as { sessionId: string }).sessionId}`

  return {
    command: (method, path, body) => send(base + path, method, body),
    written: () => written,
    async close() {
      await send(base, 'DELETE')
      await end(child)
    },
  }
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) })
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
  if (!response.ok) throw new Error(`${value?.error}: ${value?.message}`)
  return value
}

async function untilReady(origin: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`${origin}/status`)
      return
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
