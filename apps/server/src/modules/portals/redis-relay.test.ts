import { createHash, randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { openPortalPair, openRelaySocket, requestRelayTokens } from '../../testing/clients/portal-pair.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'

const redis = useRedis()
const kilobyte = 1024
const today = (): number => Math.floor(Date.now() / (24 * 3_600_000))

const sha256Of = (frames: readonly (Buffer | string)[]): string => {
  const hash = createHash('sha256')
  for (const frame of frames) hash.update(frame)
  return hash.digest('hex')
}

test('the relay forwards frames between 2 nodes unchanged and in order, including those sent before the peer connected', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const [first, second] = await requestRelayTokens(await openPortalPair(one, another))
  const creator = openRelaySocket(one, first)
  await creator.opened
  const sent = ['text', ...Array.from({ length: 100 }, () => randomBytes(100 * kilobyte)), randomBytes(1)]
  for (const frame of sent) creator.socket.send(frame)

  const joiner = openRelaySocket(another, second)
  await expect.poll(() => joiner.frames.length).toBe(sent.length)
  expect(sha256Of(joiner.frames)).toBe(sha256Of(sent))
  expect(joiner.frames[0]).toBe('text')
  joiner.socket.send('back')
  await expect.poll(() => creator.frames).toEqual(['back'])

  for (const node of [one, another]) {
    for (const token of [first, second]) expect(await openRelaySocket(node, token).opened).toBe(401)
  }
  joiner.socket.close()
  expect(await creator.closed).toBe(1000)
})

test('a device that does not read pauses the sender at the other node, and the bytes in flight are bounded', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const [first, second] = await requestRelayTokens(await openPortalPair(one, another))
  const [creator, joiner] = [openRelaySocket(one, first), openRelaySocket(another, second)]
  await Promise.all([creator.opened, joiner.opened])
  joiner.socket.pause()
  const frame = randomBytes(100 * kilobyte)
  const frames = 400

  for (let sent = 0; sent < frames; sent += 1) creator.socket.send(frame)
  const relayedBytes = () => redis.query((commands) => commands.get(`sallyport:portal:relay-day:${today()}:all`))
  let before = -1
  await expect
    .poll(
      async () => {
        const now = Number(await relayedBytes())
        const isStill = now > 0 && now === before
        before = now
        return isStill
      },
      { interval: 300 },
    )
    .toBe(true)

  // The kernel's socket buffers do not count; the kernel bounds them.
  const kernel = 8 * 1024 * kilobyte
  expect(before).toBeLessThan(kernel + portalLimits.relay.maxInFlightBytes)
  expect(before).toBeLessThan(frames * frame.length)
  joiner.socket.resume()
  await expect.poll(() => joiner.frames.length).toBe(frames)
})

test('the bytes of a room count over both nodes, and exceeding its quota closes the pair at both', async () => {
  const [one, another] = await startTwoNodes(redis.url, { RELAY_GB_PER_ROOM: '0.0002' })
  const [first, second] = await requestRelayTokens(await openPortalPair(one, another))
  const [creator, joiner] = [openRelaySocket(one, first), openRelaySocket(another, second)]
  await Promise.all([creator.opened, joiner.opened])

  creator.socket.send(randomBytes(100_000))
  await expect.poll(() => joiner.frames.length).toBe(1)
  joiner.socket.send(randomBytes(100_000))
  await expect.poll(() => creator.frames.length).toBe(1)
  joiner.socket.send(randomBytes(100_000))

  expect(await joiner.closed).toBe(1008)
  expect(await creator.closed).toBe(1008)
  expect(creator.frames).toHaveLength(1)
})

test('an address has 4 relayed pairs over all nodes', async () => {
  const nodes = await startTwoNodes(redis.url)
  for (let pair = 0; pair < portalLimits.relay.openPerAddress; pair += 1) {
    await requestRelayTokens(await openPortalPair(nodes[pair % 2 === 0 ? 0 : 1]))
  }

  const { creator } = await openPortalPair(nodes[0])
  creator.send({ type: 'px-relay' })

  expect((await creator.waitFor('room-error')).error).toBe('Unknown error')
})

test('the bytes of a day count over all nodes and pairs', async () => {
  // One address gets a tenth of the bytes of a day, here about 107 KB.
  const [one, another] = await startTwoNodes(redis.url, { RELAY_GB_PER_DAY: '0.001' })
  const send = async (nodes: readonly [typeof one, typeof one], bytes: number) => {
    const [first, second] = await requestRelayTokens(await openPortalPair(...nodes))
    const [creator, joiner] = [openRelaySocket(nodes[0], first), openRelaySocket(nodes[1], second)]
    await Promise.all([creator.opened, joiner.opened])
    creator.socket.send(randomBytes(bytes))
    return { creator, joiner }
  }
  const within = await send([one, another], 100_000)
  await expect.poll(() => within.joiner.frames.length).toBe(1)

  const beyond = await send([another, another], 10_000)
  expect(await beyond.joiner.closed).toBe(1008)
  const { creator } = await openPortalPair(one)
  creator.send({ type: 'px-relay' })

  expect((await creator.waitFor('room-error')).error).toBe('Unknown error')
})
