import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { metricOf } from '../testing/attackers.ts'
import { useRedis } from '../testing/redis-server.ts'
import { aPair, enterRelay, tokensOf } from '../testing/relayed-pair.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

const redis = useRedis()
const frame = randomBytes(100_000)
/** A tenth of the day belongs to one caller, which is ten frames here; half of it to all without an account. */
const environment = { RELAY_GB_PER_DAY: String(10_100_000 / 1024 ** 3), TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })

interface Nodes {
  readonly one: WholeServer
  readonly another: WholeServer
  readonly stop: () => Promise<void>
}

async function startNodes(keeper: string): Promise<Nodes> {
  if (keeper === 'one process') {
    const server = await startWholeServer(environment)
    return { one: server, another: server, stop: server.stop }
  }
  const [one, another] = await startTwoNodes(redis.url, environment)
  return { one, another, stop: async () => undefined }
}

/** Has two devices relay frames until they are cut off; answers how many came, or null where they got no relay. */
async function relayFrames(
  { one, another }: Nodes,
  most: number,
  opening: Parameters<typeof aPair>[2],
): Promise<number | null> {
  const pair = await aPair(one, another, opening)
  const tokens = await Promise.race([tokensOf(pair), pair.creator.take('room-error').then(() => null)])
  if (!tokens) return null
  const [sender, receiver] = [enterRelay(one, tokens[0]), enterRelay(another, tokens[1])]
  await Promise.all([sender.opened, receiver.opened])
  for (let count = 0; count < most; count += 1) sender.socket.send(frame)
  await Promise.race([receiver.closed, expect.poll(() => receiver.frames.length, { timeout: 20_000 }).toBe(most)])
  sender.socket.close()
  await sender.closed
  pair.creator.socket.close()
  pair.joiner.socket.close()
  return receiver.frames.length
}

describe.each(['one process', 'Redis'])('shares of the relay kept by %s', (keeper) => {
  test('a pair without an account gets the share of its address, and the day stays for others', async () => {
    const nodes = await startNodes(keeper)

    expect(await relayFrames(nodes, 30, { headers: from('198.51.100.1') })).toBeLessThanOrEqual(10)
    expect(await relayFrames(nodes, 30, { headers: from('198.51.100.1') })).toBeNull()
    expect(await relayFrames(nodes, 5, { headers: from('198.51.100.2') })).toBe(5)
    await nodes.stop()
  })

  test('addresses of one IPv6 /48 share what one address gets', async () => {
    const nodes = await startNodes(keeper)

    expect(await relayFrames(nodes, 30, { headers: from('2001:db8:7:1::1') })).toBeLessThanOrEqual(10)
    expect(await relayFrames(nodes, 5, { headers: from('2001:db8:7:2::1') })).toBeNull()
    expect(await relayFrames(nodes, 5, { headers: from('2001:db8:8:1::1') })).toBe(5)
    await nodes.stop()
  })

  test('pairs without an account use half of the day together, and an account still gets its own share', async () => {
    const nodes = await startNodes(keeper)
    const { accessToken } = await nodes.one.aMember()
    for (let address = 1; address <= 5; address += 1) {
      await relayFrames(nodes, 30, { headers: from(`198.51.100.${address}`) })
    }
    for (let address = 6; address <= 8; address += 1) {
      await relayFrames(nodes, 10, { headers: from(`198.51.100.${address}`) })
    }

    expect(await relayFrames(nodes, 5, { headers: from('198.51.100.99') })).toBeNull()
    expect(await relayFrames(nodes, 5, { headers: from('198.51.100.99'), accessToken })).toBe(5)
    await nodes.stop()
  })

  test('trial accounts of one network share what one account gets', async () => {
    const nodes = await startNodes(keeper)
    const members = await Promise.all([1, 2].map(() => nodes.one.aMember()))
    const [one, two] = members.map(({ accessToken }) => accessToken)
    const relay = (accessToken: string | undefined, frames: number, address: string) =>
      relayFrames(nodes, frames, { headers: from(address), ...(accessToken !== undefined && { accessToken }) })

    expect(await relay(one, 30, '2001:db8:7:1::1')).toBeLessThanOrEqual(10)
    expect(await relay(two, 5, '2001:db8:7:2::1')).toBeNull()
    expect(await relay(two, 5, '2001:db8:8:1::1')).toBe(5)
    await nodes.stop()
  })

  test('trial accounts and visitors use three quarters of the day together, and the rest is for other accounts', async () => {
    const nodes = await startNodes(keeper)
    for (let address = 1; address <= 6; address += 1) {
      await relayFrames(nodes, 30, { headers: from(`198.51.100.${address}`) })
    }
    for (let address = 11; address <= 14; address += 1) {
      const { accessToken } = await nodes.one.aMember()
      await relayFrames(nodes, 30, { headers: from(`198.51.100.${address}`), accessToken })
    }
    const { accessToken, userId } = await nodes.one.aMember()
    const headers = from('198.51.100.99')

    expect(await relayFrames(nodes, 5, { headers, accessToken })).toBeNull()
    const database = new DatabaseSync(join(nodes.one.folder, 'sallyport.db'))
    database.prepare("update licences set source = 'admin' where user_id = ?").run(userId)
    database.close()
    expect(await relayFrames(nodes, 5, { headers, accessToken })).toBe(5)
    await nodes.stop()
  })
})

test('a pair keeps to the bandwidth of a room', async () => {
  const server = await startWholeServer()
  const nodes = { one: server, another: server, stop: server.stop }
  const frames = 240
  const started = performance.now()

  expect(await relayFrames(nodes, frames, {})).toBe(frames)

  // 24 MB at 16 MB a second, but for what may pass at once.
  expect(performance.now() - started).toBeGreaterThan(1100)
  expect(await metricOf(server, 'sallyport_relayed_bytes_total')).toBe(frames * frame.length)
  await server.stop()
})
