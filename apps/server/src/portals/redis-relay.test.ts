import { createHash, randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { useRedis } from '../testing/redis-server.ts'
import { aPair, enterRelay, tokensOf } from '../testing/relayed-pair.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'

const redis = useRedis()
const kilobyte = 1024
const today = (): number => Math.floor(Date.now() / (24 * 3_600_000))

const sha256Of = (frames: readonly (Buffer | string)[]): string => {
  const hash = createHash('sha256')
  for (const frame of frames) hash.update(frame)
  return hash.digest('hex')
}

test('the relay carries frames between two nodes as they are and in their order, even those that came first', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const [first, second] = await tokensOf(await aPair(one, another))
  const creator = enterRelay(one, first)
  await creator.opened
  const sent = ['text', ...Array.from({ length: 100 }, () => randomBytes(100 * kilobyte)), randomBytes(1)]
  for (const frame of sent) creator.socket.send(frame)

  const joiner = enterRelay(another, second)
  await expect.poll(() => joiner.frames.length).toBe(sent.length)
  expect(sha256Of(joiner.frames)).toBe(sha256Of(sent))
  expect(joiner.frames[0]).toBe('text')
  joiner.socket.send('back')
  await expect.poll(() => creator.frames).toEqual(['back'])

  for (const node of [one, another]) {
    for (const token of [first, second]) expect(await enterRelay(node, token).opened).toBe(401)
  }
  joiner.socket.close()
  expect(await creator.closed).toBe(1000)
})

test('a device that takes nothing makes the one at the other node wait, and no node holds more than a share', async () => {
  const [one, another] = await startTwoNodes(redis.url)
  const [first, second] = await tokensOf(await aPair(one, another))
  const [creator, joiner] = [enterRelay(one, first), enterRelay(another, second)]
  await Promise.all([creator.opened, joiner.opened])
  joiner.socket.pause()
  const frame = randomBytes(100 * kilobyte)
  const frames = 400

  for (let sent = 0; sent < frames; sent += 1) creator.socket.send(frame)
  const carried = () => redis.ask((commands) => commands.get(`sallyport:portal:relay-day:${today()}:all`))
  let before = -1
  await expect
    .poll(
      async () => {
        const now = Number(await carried())
        const isStill = now > 0 && now === before
        before = now
        return isStill
      },
      { interval: 300 },
    )
    .toBe(true)

  // What the lines' own buffers take does not count: it lies with the kernel, and is bounded by it.
  const kernel = 8 * 1024 * kilobyte
  expect(before).toBeLessThan(kernel + portalLimits.relay.underWayBytes)
  expect(before).toBeLessThan(frames * frame.length)
  joiner.socket.resume()
  await expect.poll(() => joiner.frames.length).toBe(frames)
})

test('the bytes of a room count over both nodes, and more than its share ends the pair at both', async () => {
  const [one, another] = await startTwoNodes(redis.url, { RELAY_GB_PER_ROOM: '0.0002' })
  const [first, second] = await tokensOf(await aPair(one, another))
  const [creator, joiner] = [enterRelay(one, first), enterRelay(another, second)]
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

test('an address has four relayed pairs over all nodes', async () => {
  const nodes = await startTwoNodes(redis.url)
  for (let pair = 0; pair < portalLimits.relay.openPerAddress; pair += 1) {
    await tokensOf(await aPair(nodes[pair % 2 === 0 ? 0 : 1]))
  }

  const { creator } = await aPair(nodes[0])
  creator.say({ type: 'px-relay' })

  expect((await creator.take('room-error')).error).toBe('Unknown error')
})

test('the bytes of a day count over all nodes and pairs', async () => {
  // One address gets a tenth of the bytes of a day, which are some 107 KB here.
  const [one, another] = await startTwoNodes(redis.url, { RELAY_GB_PER_DAY: '0.001' })
  const send = async (nodes: readonly [typeof one, typeof one], bytes: number) => {
    const [first, second] = await tokensOf(await aPair(...nodes))
    const [creator, joiner] = [enterRelay(nodes[0], first), enterRelay(nodes[1], second)]
    await Promise.all([creator.opened, joiner.opened])
    creator.socket.send(randomBytes(bytes))
    return { creator, joiner }
  }
  const within = await send([one, another], 100_000)
  await expect.poll(() => within.joiner.frames.length).toBe(1)

  const beyond = await send([another, another], 10_000)
  expect(await beyond.joiner.closed).toBe(1008)
  const { creator } = await aPair(one)
  creator.say({ type: 'px-relay' })

  expect((await creator.take('room-error')).error).toBe('Unknown error')
})
