import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readMetric } from '../../../testing/clients/attackers.ts'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import type { ResourceLimits } from '../../rate-limit/resources.ts'

const plainBytes = 8 * 1024 * 1024
type TestServer = Awaited<ReturnType<typeof startServerWithFile>>

/** A server with a file that is longer than the network buffers, so that an unread download of it never ends. */
async function startServerWithFile(limitOverrides: Partial<ResourceLimits> = {}) {
  const server = await startWholeServer({}, undefined, limitOverrides)
  onTestFinished(() => server.stop())
  const { accessToken } = await server.createMember()
  const id = await server.store(accessToken, await sealFile({ plainBytes }))
  return {
    ...server,
    download: formatRequest(`/api/download/${id}`, `Authorization: Bearer ${accessToken}\r\n`),
    cuts: () => readMetric(server, 'sallyport_resource_cuts_total{cause="pipelined"}'),
    waiting: () => readMetric(server, 'sallyport_pipelined_requests'),
    openFiles: () => countOpenFiles(server.folder),
  }
}

const formatRequest = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

/** The descriptors of this process for stored files. */
function countOpenFiles(folder: string): number {
  return readdirSync('/proc/self/fd').filter((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(folder) && path.endsWith('/0')
    } catch {
      return false
    }
  }).length
}

/** Opens a connection that sends requests at once and reads nothing. */
function sendUnread({ port }: TestServer, requests: readonly string[], localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined).pause()
  socket.write(requests.join(''))
  return socket
}

test('pipelined requests are answered in their order', async () => {
  const server = await startServerWithFile()
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.write(
    [
      server.download,
      formatRequest('/api/config'),
      formatRequest('/api/nothing'),
      formatRequest('/healthz', 'Connection: close\r\n'),
    ].join(''),
  )

  const answer = await text(socket.setEncoding('latin1'))

  expect(answer.length).toBeGreaterThan(plainBytes)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
})

test('a connection opens one file, however many downloads are requested on it and never read', async () => {
  const server = await startServerWithFile()
  const before = server.openFiles()

  for (let count = 0; count < 5; count += 1) sendUnread(server, Array(9).fill(server.download))
  await expect.poll(server.waiting).toBe(5 * 8)

  expect(server.openFiles() - before).toBeLessThanOrEqual(5)
  expect(await server.cuts()).toBe(0)
})

test('a connection on which more requests wait is closed, and the requests behind them are not created', async () => {
  const server = await startServerWithFile()
  const created = vi.fn()
  subscribe('http.server.request.start', created)
  onTestFinished(() => void unsubscribe('http.server.request.start', created))

  const socket = sendUnread(server, Array(300).fill(server.download))
  await expect.poll(server.cuts).toBe(1)
  expect(created.mock.calls.length).toBeLessThan(20)
  await new Promise((resolve) => socket.once('close', resolve).resume())

  await expect.poll(server.waiting).toBe(0)
  await expect.poll(server.openFiles).toBe(0)
})

test('at the limit of the process, the connection of the address with the most waiting requests is closed', async () => {
  const server = await startServerWithFile({ pipelined: 16 })
  for (const address of ['127.0.0.2', '127.0.0.2']) sendUnread(server, Array(9).fill(server.download), address)
  await expect.poll(server.waiting).toBe(16)

  sendUnread(server, Array(3).fill(server.download), '127.0.0.3')

  await expect.poll(server.waiting).toBe(8 + 2)
  expect(await server.cuts()).toBeGreaterThan(0)
})

test('an upgrade that follows an unread request is an ordinary request', async () => {
  const server = await startServerWithFile()
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

  sendUnread(server, [server.download, formatRequest('/api/live?ticket=x', upgrade)])

  await expect.poll(server.waiting).toBe(1)
  expect(server.logged).toEqual([])
})
