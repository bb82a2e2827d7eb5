import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readMetric } from '../../../testing/clients/attackers.ts'
import { referencedBytes } from '../../../testing/referenced-bytes.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'

const connections = 50
const megabyte = 1024 * 1024

/** Sends a request whose body never completes and resolves to the start of the response once the connection ends. */
function sendIncomplete(port: number, head: string): Promise<string> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  socket.on('error', () => undefined)
  socket.write(`${head}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`)
  return new Promise((resolve) =>
    socket.once('close', () => resolve(answer.slice(0, 12))).once('end', () => socket.end()),
  )
}

test('JSON requests without a body get 408 and their connections are closed', async () => {
  const server = await startWholeServer({}, undefined, { jsonBodyMs: 500 })

  const answers = await Promise.all(
    Array.from({ length: connections }, () => sendIncomplete(server.port, 'POST /api/register HTTP/1.1')),
  )

  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 408']))
  expect(await readMetric(server, 'sallyport_resource_cuts_total{cause="late-body"}')).toBeGreaterThanOrEqual(
    connections,
  )
  await server.stop()
})

test('a request that is answered before its body arrives is closed with its connection', async () => {
  const server = await startWholeServer({}, undefined, { jsonBodyMs: 500, unreadBodyCheckMs: 300 })

  const answers = await Promise.all([
    sendIncomplete(server.port, 'POST /api/live/tickets HTTP/1.1'),
    sendIncomplete(server.port, 'GET /healthz HTTP/1.1'),
    sendIncomplete(server.port, 'POST /api/upload-chunk HTTP/1.1'),
  ])

  expect(answers).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 401'])
  await server.stop()
})

const pieceBytes = 100

/** Sends a JSON body in pieces and resolves to the status line. */
async function sendSlowly(port: number, pieces: number): Promise<string> {
  const body = JSON.stringify({ email: 'ann@example.org', password: 'x'.repeat(pieces * pieceBytes) })
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  const answer = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece).slice(0, 12))))
  socket.write(
    `POST /api/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  for (let start = 0; start < body.length && !socket.destroyed; start += pieceBytes) {
    socket.write(body.slice(start, start + pieceBytes))
    await pause(50)
  }
  return answer
}

test('a slow JSON body is accepted while it arrives fast enough, but not beyond the final deadline', async () => {
  const limits = { jsonBodyMs: 400, jsonBodyBytes: 100, jsonBodyEndMs: 4000 }
  const server = await startWholeServer({}, undefined, limits)

  const [slow, endless] = await Promise.all([sendSlowly(server.port, 16), sendSlowly(server.port, 150)])

  expect([slow, endless]).toEqual(['HTTP/1.1 400', 'HTTP/1.1 408'])
  await server.stop()
})

test('the rest of rejected bodies is not kept', async () => {
  const server = await startWholeServer()
  const body = Buffer.alloc(megabyte, '[')
  const headers = { 'content-type': 'application/json' }
  const before = referencedBytes()

  for (let count = 0; count < 100; count += 1) {
    const answer = await fetch(`${server.url}/api/login`, { method: 'POST', headers, body })
    expect(answer.status).toBe(413)
    await answer.arrayBuffer()
  }

  expect(referencedBytes() - before).toBeLessThan(5 * megabyte)
  await server.stop()
})
