import { connect, type Socket } from 'node:net'
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
