import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { releaseBuffer, releaseWhenSent } from './release-memory.ts'

test('releaseBuffer: detaches a whole buffer and ignores slices', () => {
  const whole = Buffer.alloc(100, 1)
  const [part, rest] = [Buffer.alloc(100, 1).subarray(10), Buffer.alloc(50, 1)]

  releaseBuffer(whole)
  releaseBuffer(part)
  releaseBuffer(rest.subarray(1))

  expect(whole).toHaveLength(0)
  expect(part.every((byte) => byte === 1)).toBe(true)
  expect(rest.every((byte) => byte === 1)).toBe(true)
})

/** Serves buffers of these lengths, each filled with a distinct byte. */
async function serve(lengths: readonly number[]) {
  const pieces: Buffer[] = []
  const server = createServer((_, response) => {
    const fresh = lengths.map((length, at) => Buffer.alloc(length, at + 1))
    pieces.push(...fresh)
    response.setHeader('Content-Length', total(lengths))
    releaseWhenSent(response)
    Readable.from(fresh, { objectMode: false }).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  return { pieces, socket, stop: () => server.close() }
}

const total = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0)

/** Reads slowly, so that the server has to wait, and splits the responses into their bodies. */
async function readBodies(socket: Socket, bodyBytes: number): Promise<Buffer[]> {
  const received: Buffer[] = []
  for await (const piece of socket) {
    received.push(piece)
    await pause(1)
  }
  const bodies: Buffer[] = []
  for (let rest = Buffer.concat(received); rest.length > 0; ) {
    const start = rest.indexOf('\r\n\r\n') + 4
    bodies.push(rest.subarray(start, start + bodyBytes))
    rest = rest.subarray(start + bodyBytes)
  }
  return bodies
}

test.each([
  ['large pieces', Array.from({ length: 24 }, () => 256 * 1024)],
  ['pieces too small for backpressure', Array.from({ length: 60 }, () => 30_000)],
  ['pieces of all lengths', Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? 300_000 : 1000 * at + 1))],
])('pipelined responses to a slow reader arrive whole, in %s', async (_, lengths) => {
  const { socket, pieces, stop } = await serve(lengths)
  const expected = Buffer.concat(lengths.map((length, at) => Buffer.alloc(length, at + 1)))

  const requestText = (connection: string) => `GET / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`
  socket.write(`${requestText('keep-alive').repeat(2)}${requestText('close')}`)
  const bodies = await readBodies(socket, expected.length)
  stop()

  expect(bodies.map((body) => body.equals(expected))).toEqual([true, true, true])
  expect(pieces.some((piece) => piece.length === 0)).toBe(true)
})
