#!/usr/bin/env node
// Runs in the place of Firefox, and stands between it and Playwright, which speaks a newer dialect of BiDi.
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

interface Said {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
}

/** Firefox 153 knows of no such override; journeys choose their theme in other ways. */
const unknownToFirefox = new Set(['emulation.setMediaFeaturesOverride'])
const announcement = /WebDriver BiDi listening on (ws:\/\/\S+)/

const browser = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
let written = ''
browser.stderr.on('data', (piece) => {
  process.stderr.write(String(piece).replace(announcement, ''))
  const isOpen = announcement.test(written)
  written += piece
  const [, address] = announcement.exec(written) ?? []
  if (address !== undefined && !isOpen) openDoor(address)
})
browser.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => browser.kill(signal))

function openDoor(address: string): void {
  const door = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  door.on('listening', () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${(door.address() as AddressInfo).port}\n`)
  })
  door.on('connection', (near, { url }) => {
    const far = new WebSocket(`${address}${url}`)
    const opened = new Promise((resolve) => far.once('open', resolve))
    const translate = createTranslator()
    near.on('message', async (data) => {
      const said: Said = JSON.parse(String(data))
      await opened
      if (unknownToFirefox.has(said.method ?? ''))
        near.send(JSON.stringify({ type: 'success', id: said.id, result: {} }))
      else far.send(String(data))
    })
    far.on('message', (data) => near.send(JSON.stringify(translate(JSON.parse(String(data))))))
    far.on('error', () => near.close())
    far.on('close', () => near.close())
    near.on('close', () => far.close())
  })
}

/** Playwright hears of a download only when it goes by an id of its own, and belongs to a page that is still there. */
function createTranslator(): (said: Said) => Said {
  const parents = new Map<unknown, unknown>()
  const pageOf = (context: unknown): unknown => {
    const parent = parents.get(context) ?? null
    return parent === null ? context : pageOf(parent)
  }
  return (said) => {
    const { method = '', params = {} } = said
    if (method === 'browsingContext.contextCreated') parents.set(params['context'], params['parent'])
    if (!method.startsWith('browsingContext.download')) return said
    return { ...said, params: { ...params, download: params['url'], context: pageOf(params['context']) } }
  }
}
