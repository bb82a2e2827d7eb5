import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { floodSignals, metricOf, openBasicPair } from '../testing/attackers.ts'
import { openPortalPeer } from '../testing/portal-peer.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const megabyte = 1024 * 1024
const pairs = 4

test('a signalling socket that never reads is closed with 1013, its bytes stay bounded, and the pair next to it goes on', {
  timeout: 60_000,
}, async () => {
  const server = await startWholeServer()
  const neighbour = await openBasicPair(server)
  const floods = await Promise.all(Array.from({ length: pairs }, () => openBasicPair(server)))
  let isOver = false
  let mostQueued = 0
  for (const { sender, reader } of floods) {
    reader.socket.pause()
    void floodSignals(sender, () => isOver)
  }

  const watching = (async () => {
    while (!isOver) {
      mostQueued = Math.max(mostQueued, await metricOf(server, 'sallyport_queued_bytes'))
      neighbour.sender.say({ type: 'file-accept' })
      await neighbour.reader.take('file-accept')
      await pause(50)
    }
  })()
  const cuts = () => metricOf(server, 'sallyport_resource_cuts_total{cause="slow-reader"}')
  await expect.poll(cuts, { timeout: 40_000 }).toBe(pairs)
  for (const { reader } of floods) reader.socket.resume()
  const codes = await Promise.all(floods.map(({ reader }) => reader.closeCode()))
  isOver = true
  await watching

  expect(codes).toEqual(Array(pairs).fill(1013))
  expect(mostQueued).toBeGreaterThan(0)
  expect(mostQueued).toBeLessThan(pairs * (megabyte + 65_536))
  await server.stop()
})

test('over the bound of the process the sockets of the heaviest caller are cut, and no others', {
  timeout: 60_000,
}, async () => {
  const bounds = { queuedBytesPerSocket: 64 * megabyte, queuedBytes: megabyte }
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' }, undefined, bounds)
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const neighbour = await openPortalPeer(server, undefined, from('203.0.113.9'))
  const flood = await openBasicPair(server, from('198.51.100.1'))
  flood.reader.socket.pause()

  await Promise.race([floodSignals(flood.sender, () => false), flood.sender.take('peer-left')])

  flood.reader.socket.resume()
  expect([1006, 1013]).toContain(await flood.reader.closeCode())
  expect(await neighbour.settled()).toEqual([])
  expect(await neighbour.socket.readyState).toBe(1)
  flood.sender.socket.terminate()
  await server.stop()
})

test('a socket that pings and never reads the answers is not answered without end', { timeout: 60_000 }, async () => {
  const server = await startWholeServer()
  const { socket } = await openPortalPeer(server)
  socket.pause()

  for (let count = 0; count < 60_000; count += 1) {
    socket.ping(Buffer.alloc(125))
    if (count % 1000 === 0) await pause(1)
  }
  await expect.poll(() => socket.bufferedAmount, { timeout: 30_000 }).toBe(0)

  expect(await metricOf(server, 'sallyport_queued_bytes')).toBeLessThan(2000)
  await server.stop()
})
