import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { floodSignals, openLegacyPair, readMetric } from '../../testing/clients/attackers.ts'
import { openPortalPeer } from '../../testing/clients/portal-peer.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const megabyte = 1024 * 1024
const pairs = 4

test('a signalling socket that never reads is closed with 1013 and bounded memory, and other pairs continue', async () => {
  const server = await startWholeServer()
  const neighbour = await openLegacyPair(server)
  const floods = await Promise.all(Array.from({ length: pairs }, () => openLegacyPair(server)))
  let isOver = false
  let maxQueued = 0
  for (const { sender, reader } of floods) {
    reader.socket.pause()
    void floodSignals(sender, () => isOver)
  }

  const watching = (async () => {
    while (!isOver) {
      maxQueued = Math.max(maxQueued, await readMetric(server, 'sallyport_queued_bytes'))
      neighbour.sender.send({ type: 'file-accept' })
      await neighbour.reader.waitFor('file-accept')
      await pause(50)
    }
  })()
  const cuts = () => readMetric(server, 'sallyport_resource_cuts_total{cause="slow-reader"}')
  try {
    await expect.poll(cuts).toBe(pairs)
    for (const { reader } of floods) reader.socket.resume()
  } finally {
    isOver = true
  }
  const codes = await Promise.all(floods.map(({ reader }) => reader.closeCode()))
  await watching

  expect(codes).toEqual(Array(pairs).fill(1013))
  expect(maxQueued).toBeGreaterThan(0)
  expect(maxQueued).toBeLessThan(pairs * (megabyte + 65_536))
  await server.stop()
})

test('over the limit of the process only the sockets of the heaviest caller are terminated', async () => {
  const limits = { queuedBytesPerSocket: 64 * megabyte, queuedBytes: megabyte }
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' }, undefined, limits)
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const neighbour = await openPortalPeer(server, undefined, from('203.0.113.9'))
  const flood = await openLegacyPair(server, from('198.51.100.1'))
  flood.reader.socket.pause()

  await Promise.race([floodSignals(flood.sender, () => false), flood.sender.waitFor('peer-left')])

  flood.reader.socket.resume()
  expect([1006, 1013]).toContain(await flood.reader.closeCode())
  expect(await neighbour.drain()).toEqual([])
  expect(await neighbour.socket.readyState).toBe(1)
  flood.sender.socket.terminate()
  await server.stop()
})

test('pings of a socket that never reads get a bounded number of pongs', async () => {
  const server = await startWholeServer()
  const { socket } = await openPortalPeer(server)
  socket.pause()

  for (let count = 0; count < 60_000; count += 1) {
    socket.ping(Buffer.alloc(125))
    if (count % 1000 === 0) await pause(1)
  }
  await expect.poll(() => socket.bufferedAmount).toBe(0)

  expect(await readMetric(server, 'sallyport_queued_bytes')).toBeLessThan(2000)
  await server.stop()
})
