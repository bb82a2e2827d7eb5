import { portalRoomLimits } from '@sallyport/contract/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPortalPeer } from '../testing/portal-peer.ts'
import { useRedis } from '../testing/redis-server.ts'
import { aPair, enterRelay, tokensOf } from '../testing/relayed-pair.ts'
import { startMortalNodes, startTwoNodes } from '../testing/two-nodes.ts'

const redis = useRedis()

/** Moves the clock of this process on by more than a lease, no faster than its own node renews its own. */
async function outliveLeases(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const latest = () =>
    redis.ask(async (commands) =>
      Number((await commands.zrange('sallyport:portal:nodes', '-1', '-1', 'WITHSCORES'))[1]),
    )
  for (let moved = 0; moved <= portalRoomLimits.nodeLeaseMs; moved += portalRoomLimits.nodeLeaseMs * 0.6) {
    const before = await latest()
    vi.setSystemTime(Date.now() + portalRoomLimits.nodeLeaseMs * 0.6)
    await expect.poll(latest).toBeGreaterThan(before)
  }
}

test('when a node is killed its devices come back at another, and the relay and the other device learn of those that do not', async () => {
  const { lasting, mortal } = await startMortalNodes(redis.url)
  const pair = await aPair(lasting, mortal)
  const other = await aPair(lasting, mortal)
  const [first, second] = await tokensOf(other)
  const [stays, dies] = [enterRelay(lasting, first), enterRelay(mortal, second)]
  await Promise.all([stays.opened, dies.opened])
  dies.socket.send('there')
  await expect.poll(() => stays.frames).toEqual(['there'])
  const { peerId, px } = pair.joined

  await mortal.kill()
  const back = await openPortalPeer(lasting)
  back.say({ type: 'px-rejoin', peerId, resume: px?.resume })
  expect(await back.take('px-rejoined')).toEqual({ type: 'px-rejoined', peerId, isOtherHere: true })
  await pair.creator.take('px-back')
  pair.creator.say({ type: 'webrtc-offer', data: 'a new line' })
  expect((await back.take('webrtc-offer')).data).toBe('a new line')

  await outliveLeases()
  expect(await other.creator.take('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
  expect(await stays.closed).toBe(1001)
  expect(await pair.creator.settled()).toEqual([])
})

test('F16 while Redis is away nothing comes of what a device says, it is told so, and comes back by another line afterwards', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const { creator, joiner, joined } = await aPair(one, another)
  const seat = { type: 'px-rejoin', peerId: joined.peerId, resume: joined.px?.resume }
  const early = await openPortalPeer(one)

  await redis.kill()
  creator.say({ type: 'webrtc-offer', data: 'lost' })
  expect(await creator.take('room-error')).toEqual({ type: 'room-error', error: 'Unknown error' })
  early.say(seat)
  expect(await early.closeCode()).toBe(1013)
  await redis.start()

  expect(await creator.closeCode()).toBe(1012)
  expect(await joiner.closeCode()).toBe(1012)
  const again = async () => {
    const peer = await openPortalPeer(another).catch(() => null)
    peer?.say(seat)
    return (await peer?.take('room-error'))?.error
  }
  await expect.poll(again).toBe('Failed to join room')
  const late = await openPortalPeer(one)
  late.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  expect((await late.take('room-created')).roomCode).toMatch(/^\d\d$/)
  expect([...one.logged, ...another.logged].filter((line) => line.includes('unhandled'))).toEqual([])
})
