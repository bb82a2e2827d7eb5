import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { metricOf } from '../testing/attackers.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const connections = 50

/** Sends a request whose body never comes whole, and answers what comes back until the connection ends. */
function sendPart(port: number, head: string): Promise<string> {
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

test('requests of JSON whose body does not come are answered with 408 and their connections end', async () => {
  const server = await startWholeServer({}, undefined, { jsonBodyMs: 500 })

  const answers = await Promise.all(
    Array.from({ length: connections }, () => sendPart(server.port, 'POST /api/register HTTP/1.1')),
  )

  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 408']))
  expect(await metricOf(server, 'sallyport_resource_cuts_total{cause="late-body"}')).toBeGreaterThanOrEqual(connections)
  await server.stop()
})

test('what is left of a request that was answered before its body came ends with its connection', async () => {
  const server = await startWholeServer({}, undefined, { jsonBodyMs: 500, leftoverCheckMs: 300 })

  const answers = await Promise.all([
    sendPart(server.port, 'POST /api/live/tickets HTTP/1.1'),
    sendPart(server.port, 'GET /healthz HTTP/1.1'),
    sendPart(server.port, 'POST /api/upload-chunk HTTP/1.1'),
  ])

  expect(answers).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 401'])
  await server.stop()
})

/** Sends a JSON body piece by piece, and answers the status line. */
async function sendSlowly(port: number, pieces: number): Promise<string> {
  const body = JSON.stringify({ email: 'ann@example.org', password: 'x'.repeat(pieces * 1000) })
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  const answer = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece).slice(0, 12))))
  socket.write(
    `POST /api/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  for (let start = 0; start < body.length && !socket.destroyed; start += 1000) {
    socket.write(body.slice(start, start + 1000))
    await pause(50)
  }
  return answer
}

test('a JSON body on a slow line is read while enough of it arrives, and not beyond its last deadline', async () => {
  const bounds = { jsonBodyMs: 200, jsonBodyBytes: 1500, jsonBodyEndMs: 1500 }
  const server = await startWholeServer({}, undefined, bounds)

  const [slow, endless] = await Promise.all([sendSlowly(server.port, 16), sendSlowly(server.port, 60)])

  expect([slow, endless]).toEqual(['HTTP/1.1 400', 'HTTP/1.1 408'])
  await server.stop()
})
