import { chatLimits } from '@sallyport/contract/limits'
import { requestLimits, socketLimits } from '@sallyport/contract/server-limits'
import { parseUploadSocketMessage } from '@sallyport/contract/upload-socket'
import type { InjectOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import { isBoundedJson } from './bounded-json.rules.ts'

const runs = 30
const limitMs = 10

const repeatUpTo = (bytes: number, piece: string): string => piece.repeat(Math.floor(bytes / piece.length))

/** The most expensive JSON texts of a length, within the limits and beyond them. */
function createDearJson(bytes: number): Readonly<Record<string, string>> {
  const room = bytes - 200
  const count = requestLimits.jsonValues - 10
  const nested = '['.repeat(requestLimits.jsonDepth - 1) + ']'.repeat(requestLimits.jsonDepth - 1)
  const keys = Array.from({ length: count }, (_, index) => `"${index}${'k'.repeat(room / count - 12)}":0`)
  return {
    'deeper than allowed': repeatUpTo(room, '['),
    'more values than allowed': `[${repeatUpTo(room, '{},')}0]`,
    'as deep as allowed, many times': `[${Array(Math.floor(count / (2 * requestLimits.jsonDepth))).fill(nested)}]`,
    'as many keys as allowed': `{${keys}}`,
    'one escaped string': `{"email":"${repeatUpTo(room, '\\u00e9')}","encryptedMessage":"x","encryptedKey":"x"}`,
    'a string of backslashes': `{"email":"${repeatUpTo(room, '\\\\')}"}`,
    'a string of quotation marks': `{"email":"${repeatUpTo(room, '\\"')}"}`,
    'a string without an end': `{"email":"${repeatUpTo(room, '\\"')}`,
    'one long number': `[${repeatUpTo(room, '9')}]`,
    'white space': repeatUpTo(room, ' '),
  }
}

/** The median processor time of the thread for the work, in milliseconds: what it keeps the event loop busy for. */
async function medianMs(work: () => unknown): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    durations.push((user + system) / 1000)
  }
  return durations.sort((one, other) => one - other)[runs / 2] ?? Number.NaN
}

/** Expects that the server answers each request, which passes no network, within the limit. */
async function expectCheap(requests: Readonly<Record<string, InjectOptions>>): Promise<void> {
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' })
  onTestFinished(() => server.stop())
  const { accessToken } = await server.createMember()
  for (const [name, request] of Object.entries(requests)) {
    const headers = { authorization: `Bearer ${accessToken}`, ...request.headers }
    const duration = await medianMs(() => server.app.inject({ ...request, headers }))
    expect(duration, name).toBeLessThan(limitMs)
  }
}

const postJson = (url: string, payload: string): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers: { 'content-type': 'application/json' },
})

for (const [url, bytes] of [
  ['/api/prelogin', requestLimits.jsonBytes],
  ['/auth/v1/recover', requestLimits.jsonBytes],
  ['/api/messages', chatLimits.bodyBytes],
] as const) {
  test(`the dearest JSON bodies of ${url} cost less than ${limitMs} ms each`, async () => {
    const bodies = Object.entries(createDearJson(bytes))
    await expectCheap(Object.fromEntries(bodies.map(([name, body]) => [name, postJson(url, body)])))
  })
}

test(`the dearest queries, headers and envelopes cost less than ${limitMs} ms each`, async () => {
  const room = requestLimits.headerBytes - 2000
  await expectCheap({
    'many parameters': { method: 'GET', url: `/api/files?${repeatUpTo(room, 'a&')}` },
    'escaped parameters': { method: 'GET', url: `/api/files?${repeatUpTo(room, '%C3%A9=%2B&')}` },
    'a long path': { method: 'GET', url: `/${repeatUpTo(room, '%C3%A9/')}` },
    'many headers': {
      method: 'GET',
      url: '/api/files',
      headers: Object.fromEntries(Array.from({ length: room / 12 }, (_, index) => [`x-${index}`, 'x'])),
    },
    'many addresses': {
      method: 'GET',
      url: '/api/files',
      headers: { 'x-forwarded-for': repeatUpTo(room, '1.1.1.1,') },
    },
    'many encodings': { method: 'GET', url: '/', headers: { 'accept-encoding': repeatUpTo(room, 'a;q=0,') } },
    'many entity tags': { method: 'GET', url: '/', headers: { 'if-none-match': repeatUpTo(room, 'W/"a",') } },
    'many ranges': { method: 'GET', url: '/', headers: { range: `bytes=${repeatUpTo(room, '0-1,')}` } },
    'a long envelope': {
      method: 'POST',
      url: '/api/upload',
      payload: Buffer.alloc(100),
      headers: {
        'content-type': 'application/octet-stream',
        'x-file-name': `ef1.${'A'.repeat(1700)}`,
        'x-encrypted-file-key': repeatUpTo(8192, '4QA'),
      },
    },
    'a long token': {
      method: 'GET',
      url: '/api/files',
      headers: { authorization: `Bearer ${repeatUpTo(room, 'a.')}` },
    },
  })
})

test(`the dearest text frames of sockets cost less than ${limitMs} ms each`, async () => {
  for (const [name, text] of Object.entries(createDearJson(socketLimits.frameBytes))) {
    const duration = await medianMs(() => isBoundedJson(text) && parseUploadSocketMessage(text))
    expect(duration, name).toBeLessThan(limitMs)
  }
})
