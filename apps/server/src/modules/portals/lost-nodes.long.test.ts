import { portalRoomLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPortalPair, openRelaySocket, requestRelayTokens } from '../../testing/clients/portal-pair.ts'
import { openPortalPeer } from '../../testing/clients/portal-peer.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startKillableNodes, startTwoNodes } from '../../testing/servers/two-nodes.ts'

const redis = useRedis()

/** Moves the clock of this process past the lease, no faster than its node renews its own lease. */
async function expireLeases(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const latest = () =>
    redis.query(async (commands) =>
      Number((await commands.zrange('sallyport:portal:nodes', '-1', '-1', 'WITHSCORES'))[1]),
    )
  for (let moved = 0; moved <= portalRoomLimits.nodeLeaseMs; moved += portalRoomLimits.nodeLeaseMs * 0.6) {
    const before = await latest()
    vi.setSystemTime(Date.now() + portalRoomLimits.nodeLeaseMs * 0.6)
    await expect.poll(latest).toBeGreaterThan(before)
  }
}

test('after a node is killed its devices resume at another node, and relay and peers are notified of those that do not', async () => {
  const { inProcess, killable } = await startKillableNodes(redis.url)
  const pair = await openPortalPair(inProcess, killable)
  const other = await openPortalPair(inProcess, killable)
  const [first, second] = await requestRelayTokens(other)
  const [surviving, killed] = [openRelaySocket(inProcess, first), openRelaySocket(killable, second)]
  await Promise.all([surviving.opened, killed.opened])
  killed.socket.send('there')
  await expect.poll(() => surviving.frames).toEqual(['there'])
  const { peerId, px } = pair.joined

  await killable.kill()
  const resumed = await openPortalPeer(inProcess)
  resumed.send({ type: 'px-rejoin', peerId, resume: px?.resume })
  expect(await resumed.waitFor('px-rejoined')).toEqual({ type: 'px-rejoined', peerId, isOtherHere: true })
  await pair.creator.waitFor('px-back')
  pair.creator.send({ type: 'webrtc-offer', data: 'a new connection' })
  expect((await resumed.waitFor('webrtc-offer')).data).toBe('a new connection')

  await expireLeases()
  expect(await other.creator.waitFor('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
  expect(await surviving.closed).toBe(1001)
  expect(await pair.creator.drain()).toEqual([])
})

test('F16 without Redis signals fail with an error, and devices reconnect and can open rooms afterwards', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const { creator, joiner, joined } = await openPortalPair(one, another)
  const rejoin = { type: 'px-rejoin', peerId: joined.peerId, resume: joined.px?.resume }
  const early = await openPortalPeer(one)

  await redis.kill()
  creator.send({ type: 'webrtc-offer', data: 'lost' })
  expect(await creator.waitFor('room-error')).toEqual({ type: 'room-error', error: 'Unknown error' })
  early.send(rejoin)
  expect(await early.closeCode()).toBe(1013)
  await redis.start()

  expect(await creator.closeCode()).toBe(1012)
  expect(await joiner.closeCode()).toBe(1012)
  const rejoinError = async () => {
    const peer = await openPortalPeer(another).catch(() => null)
    peer?.send(rejoin)
    return (await peer?.waitFor('room-error'))?.error
  }
  await expect.poll(rejoinError).toBe('Failed to join room')
  const late = await openPortalPeer(one)
  late.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  expect((await late.waitFor('room-created')).roomCode).toMatch(/^\d\d$/)
  expect([...one.logged, ...another.logged].filter((line) => line.includes('unhandled'))).toEqual([])
})
