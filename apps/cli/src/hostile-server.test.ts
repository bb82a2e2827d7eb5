import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createCaller } from '@sallyport/client/call'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { createFileServer } from '@sallyport/client/testing/file-server'
import { accountKey, patternBytes, sealedFile } from '@sallyport/client/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { createStatusLine } from './terminal.ts'
import { visibleText } from './visible-text.ts'

/** Sets the title and the clipboard; contains colours, C1 introducers, cursor moves, bidi marks and a fake success line. */
const hostile =
  '\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001b[31m\u009b2J\u009d52;c;eA==\u009c\r\u001b[2K\u202egnp.exe\u2066\u200b\u2028' +
  '\nholiday.txt: 3.00 MB, complete and verified\n/home/ann/holiday.txt\n'

/** Only printable characters in logical order, and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: line feeds are allowed.
const harmless = /^[^\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]*$/u

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface RunAgainstOptions {
  /** Sends SIGINT to the program once it has received this many bytes of the file. */
  readonly stopAfterBytes?: number
}

/** Runs the real program against a loopback server with this handler for GET requests. */
async function runAgainst(handleGet: Handler, { stopAfterBytes }: RunAgainstOptions = {}) {
  const workingFolder = await mkdtemp(join(tmpdir(), 'sallyport-cli-'))
  onTestFinished(() => rm(workingFolder, { recursive: true }))
  const files = createFileServer()
  const file = await sealedFile(patternBytes(100_000), { name: 'holiday.txt' })
  const id = files.store(file.name, file.envelope, file.bytes)
  const http = createServer(async (request, response) => {
    if (request.method === 'GET' && stopAfterBytes !== undefined) {
      const whole = await files.fetch(`http://double${request.url}`, {
        method: 'GET',
        headers: [...headersOf(request)],
      })
      response.writeHead(whole.status, Object.fromEntries(whole.headers))
      response.write(new Uint8Array(await whole.arrayBuffer()).subarray(0, stopAfterBytes))
      setTimeout(() => child.kill('SIGINT'), 500)
      return
    }
    if (request.method === 'GET') return handleGet(request, response)
    const answer = await files.fetch(`http://double${request.url}`, { method: request.method ?? 'HEAD' })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const fetch = files.fetch as typeof globalThis.fetch
  const call = createCaller({ baseUrl: origin, getAccessToken: async () => 'token', fetch })
  const link = await shareFile(call, { id, encryptedFileKey: file.envelope, accountKey, origin })

  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'get', link], { cwd: workingFolder })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr, saved: await readdir(workingFolder) }
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')

test('Ctrl+C ends the program with 130 and keeps what has arrived', async () => {
  const { code, stdout, stderr, saved } = await runAgainst(() => undefined, { stopAfterBytes: 90_000 })

  expect([code, stdout]).toEqual([130, ''])
  expect(stderr).toBe('holiday.txt: what has arrived is kept. Run the same command again to continue.\n')
  expect(saved.sort()).toEqual([expect.stringMatching(/\.part$/), expect.stringMatching(/\.part\.json$/)])
})

const errorResponse = (status: number, code: string): Handler => {
  const body = JSON.stringify({ success: false, code, error: hostile })
  return (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

test.each([
  [403, 'SHARE_PROOF_REQUIRED', 'This share link is incomplete. Ask for the whole link.'],
  [409, 'SHARE_BUSY', 'Someone else is downloading this file right now. Please try again later.'],
  [404, 'SHARE_NOT_FOUND', 'File not found or expired'],
  [403, 'KEY_REPLACED', 'Download failed: 403'],
  [418, 'NO_SUCH_CODE\u001b[2J', 'Download failed: 418'],
])('messages of the server are not printed: %i %s prints a message of the program', async (status, code, sentence) => {
  const { stdout, stderr, ...rest } = await runAgainst(errorResponse(status, code))

  expect(stderr).toMatch(harmless)
  expect(stderr).not.toMatch(/owned|verified|ann/)
  expect(stderr).toBe(`sallyport: ${sentence}\n`)
  expect([rest.code, stdout, rest.saved]).toEqual([1, '', []])
})

test('invalid response bodies and headers are not printed', async () => {
  const noJson = await runAgainst((_request, response) => void response.writeHead(400).end(hostile))
  const fake = await runAgainst(
    (_request, response) =>
      void response.writeHead(200, { 'x-chunk-size': '\u009b31m', 'content-type': 'text/plain' }).end(hostile),
  )

  for (const { code, stdout, stderr, saved } of [noJson, fake]) {
    expect(stderr).toMatch(harmless)
    expect(stderr).toMatch(/^sallyport: [^\n]+\n$/)
    expect(stderr).not.toMatch(/owned|verified/)
    expect([code, stdout, saved]).toEqual([1, '', []])
  }
})

test('visibleText escapes all terminal control characters and leaves others unchanged', () => {
  expect(visibleText(hostile)).toMatch(harmless)
  expect(visibleText(hostile)).not.toContain('\n')
  expect(visibleText('\u001b]52;c;eA==\u0007')).toBe('\\u{1b}]52;c;eA==\\u{7}')
  expect(visibleText('a\u202eb\u0085c\ud800d')).toBe('a\\u{202e}b\\u{85}c\\u{d800}d')
  expect(visibleText('Übergröße 写真 🎂 “ok” — 3,00 MB')).toBe('Übergröße 写真 🎂 “ok” — 3,00 MB')
})

test('the status line prints only harmless characters of a file name', () => {
  const written: string[] = []
  const writeStderr = (text: string) => void written.push(text)
  const status = createStatusLine({
    writeStdout: () => undefined,
    writeStderr,
    isStdoutTerminal: true,
    isStderrTerminal: true,
  })
  status.show(`name${hostile}`)
  expect(written.join('').replace('\r\u001b[2K', '')).toMatch(harmless)
})
