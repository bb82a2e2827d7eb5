#!/usr/bin/env node
// Runs in place of Firefox as a proxy between it and Playwright, which uses a newer version of WebDriver BiDi.
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

interface BidiMessage {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
}

/** Firefox 153 does not support this command; journeys set their theme in other ways. */
const unsupportedMethods = new Set(['emulation.setMediaFeaturesOverride'])
const urlPattern = /WebDriver BiDi listening on (ws:\/\/\S+)/

const browser = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
let output = ''
browser.stderr.on('data', (piece) => {
  process.stderr.write(String(piece).replace(urlPattern, ''))
  const isOpen = urlPattern.test(output)
  output += piece
  const [, address] = urlPattern.exec(output) ?? []
  if (address !== undefined && !isOpen) startProxy(address)
})
browser.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => browser.kill(signal))

function startProxy(address: string): void {
  const proxy = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  proxy.on('listening', () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${(proxy.address() as AddressInfo).port}\n`)
  })
  proxy.on('connection', (playwrightSocket, { url }) => {
    const firefoxSocket = new WebSocket(`${address}${url}`)
    const opened = new Promise((resolve) => firefoxSocket.once('open', resolve))
    const translateEvent = createEventTranslator()
    playwrightSocket.on('message', async (data) => {
      const message: BidiMessage = JSON.parse(String(data))
      await opened
      if (unsupportedMethods.has(message.method ?? ''))
        playwrightSocket.send(JSON.stringify({ type: 'success', id: message.id, result: {} }))
      else firefoxSocket.send(String(data))
    })
    firefoxSocket.on('message', (data) =>
      playwrightSocket.send(JSON.stringify(translateEvent(JSON.parse(String(data))))),
    )
    firefoxSocket.on('error', () => playwrightSocket.close())
    firefoxSocket.on('close', () => playwrightSocket.close())
    playwrightSocket.on('close', () => firefoxSocket.close())
  })
}

/** Playwright reports a download only if it has its own id and belongs to a page that is still open. */
function createEventTranslator(): (message: BidiMessage) => BidiMessage {
  const parents = new Map<unknown, unknown>()
  const pageOf = (context: unknown): unknown => {
    const parent = parents.get(context) ?? null
    return parent === null ? context : pageOf(parent)
  }
  return (message) => {
    const { method = '', params = {} } = message
    if (method === 'browsingContext.contextCreated') parents.set(params['context'], params['parent'])
    if (!method.startsWith('browsingContext.download')) return message
    return { ...message, params: { ...params, download: params['url'], context: pageOf(params['context']) } }
  }
}
