import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { randomCredential } from '../../testing/servers/account-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { createLogger } from './logger.ts'

const forged = '{"level":50,"msg":"forged"}'
const hostileTexts = [
  `a\r\n${forged}`,
  `a\n${forged}\n`,
  `\u001b[2J\u001b[31m${forged}\u001b]0;title\u0007`,
  `\u009b31m\u007f\u0085${forged}`,
  `\u2028${forged}\u2029`,
  `"},${forged}`,
  `${'x'.repeat(100)}\r\n\u001b[1A${forged}\u009b2K`,
]

/** True for one line without control characters other than its final newline. */
const isSafeLine = (line: string): boolean => /^[^\p{Cc}\p{Zl}\p{Zp}]+\n$/u.test(line)

test('T170 every log entry is one line of JSON without terminal control sequences', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })

  for (const text of hostileTexts) {
    logger.info({ text, [text]: 1, err: new Error(text, { cause: new Error(text) }) }, text)
    logger.child({ text }).error({ err: text }, 'failed')
  }

  expect(lines).toHaveLength(2 * hostileTexts.length)
  for (const line of lines) expect(isSafeLine(line), JSON.stringify(line)).toBe(true)
  const [first] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ level: 30, msg: hostileTexts[0], text: hostileTexts[0] })
  expect(lines.map((line) => JSON.parse(line).msg).filter((msg) => msg === 'forged')).toEqual([])
})

test('T170 hostile user agents, addresses, names and paths produce one safe log line per request without their content', async () => {
  const lines: string[] = []
  const server = await startWholeServer({}, { write: (line) => void lines.push(line) })
  const { accessToken } = await server.createMember()
  const file = await sealFile({ plainBytes: 10 })
  const before = lines.length
  let requests = 0
  const send = async (head: readonly string[], body = '') => {
    requests += 1
    const all = [...head, 'Host: x', 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, '', '']
    return exchange(server.port, `${all.join('\r\n')}${body}`)
  }

  for (const text of hostileTexts) {
    const asHeader = text.replace(/[\r\n]/g, '\t')
    const inPath = encodeURIComponent(text)
    const json = JSON.stringify({ email: `${text}@example.org`, password: randomCredential(), name: text })
    await send([`GET /api/files?${inPath} HTTP/1.1`, `User-Agent: ${asHeader}`, `Authorization: Bearer ${asHeader}`])
    await send([`GET /api/share/${inPath.slice(0, 200)} HTTP/1.1`, `X-Forwarded-For: ${asHeader}`])
    await send(['POST /api/register HTTP/1.1', 'Content-Type: application/json'], json)
    await send(['POST /auth/v1/recover HTTP/1.1', 'Content-Type: application/json'], json)
    await send([
      'POST /api/upload HTTP/1.1',
      'Content-Type: application/octet-stream',
      `Authorization: Bearer ${accessToken}`,
      `X-File-Name: ${asHeader}`,
      `X-Encrypted-File-Key: ${file.envelope}`,
    ])
  }
  await server.stop()

  const logged = lines.slice(before)
  expect(requests).toBe(5 * hostileTexts.length)
  expect(logged.length).toBeGreaterThan(3 * hostileTexts.length)
  for (const line of logged) {
    expect(isSafeLine(line), JSON.stringify(line)).toBe(true)
    expect(() => JSON.parse(line)).not.toThrow()
    expect(line).not.toContain('forged')
  }
})

/** Sends a raw request and resolves to the response once the server closes the connection. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString()
    })
    socket.on('error', () => undefined).on('close', () => resolve(answer))
    socket.write(request)
  })
}
