import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { aCredential } from '../testing/account-server.ts'
import { sealFile } from '../testing/sealed-file.ts'
import { startWholeServer } from '../testing/whole-server.ts'
import { createLogger } from './logger.ts'

const forged = '{"level":50,"msg":"forged"}'
const hostile = [
  `a\r\n${forged}`,
  `a\n${forged}\n`,
  `\u001b[2J\u001b[31m${forged}\u001b]0;title\u0007`,
  `\u009b31m\u007f\u0085${forged}`,
  `\u2028${forged}\u2029`,
  `"},${forged}`,
  `${'x'.repeat(100)}\r\n\u001b[1A${forged}\u009b2K`,
]

/** No sign that ends a line or moves a cursor, but the one end of the line itself. */
const isOneTameLine = (line: string): boolean => /^[^\p{Cc}\p{Zl}\p{Zp}]+\n$/u.test(line)

test('T170 whatever is logged becomes one line of JSON that no terminal takes for commands', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })

  for (const text of hostile) {
    logger.info({ text, [text]: 1, err: new Error(text, { cause: new Error(text) }) }, text)
    logger.child({ text }).error({ err: text }, 'failed')
  }

  expect(lines).toHaveLength(2 * hostile.length)
  for (const line of lines) expect(isOneTameLine(line), JSON.stringify(line)).toBe(true)
  const [first] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ level: 30, msg: hostile[0], text: hostile[0] })
  expect(lines.map((line) => JSON.parse(line).msg).filter((msg) => msg === 'forged')).toEqual([])
})

test('T170 hostile agents, addresses, names and paths leave one tame line a request in the log, and none of themselves', async () => {
  const lines: string[] = []
  const server = await startWholeServer({}, { write: (line) => void lines.push(line) })
  const { accessToken } = await server.aMember()
  const file = await sealFile({ plainBytes: 10 })
  const before = lines.length
  let requests = 0
  const send = async (head: readonly string[], body = '') => {
    requests += 1
    const all = [...head, 'Host: x', 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`, '', '']
    return exchange(server.port, `${all.join('\r\n')}${body}`)
  }

  for (const text of hostile) {
    const asHeader = text.replace(/[\r\n]/g, '\t')
    const inPath = encodeURIComponent(text)
    const json = JSON.stringify({ email: `${text}@example.org`, password: aCredential(), name: text })
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
  expect(requests).toBe(5 * hostile.length)
  expect(logged.length).toBeGreaterThan(3 * hostile.length)
  for (const line of logged) {
    expect(isOneTameLine(line), JSON.stringify(line)).toBe(true)
    expect(() => JSON.parse(line)).not.toThrow()
    expect(line).not.toContain('forged')
  }
})

/** What the server says until it hangs up. */
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
