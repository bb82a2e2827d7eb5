import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { readMetric } from '../../testing/clients/attackers.ts'
import { openPortalPair, openRelaySocket, requestRelayTokens } from '../../testing/clients/portal-pair.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

const redis = useRedis()
const frame = randomBytes(100_000)
/** A tenth of the day is for one caller, here ten frames; half of it for all callers without an account. */
const environment = { RELAY_GB_PER_DAY: String(10_100_000 / 1024 ** 3), TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string) => ({ 'x-forwarded-for': address })

interface Nodes {
  readonly one: WholeServer
  readonly another: WholeServer
  readonly stop: () => Promise<void>
}

async function startNodes(storage: string): Promise<Nodes> {
  if (storage === 'one process') {
    const server = await startWholeServer(environment)
    return { one: server, another: server, stop: server.stop }
  }
  const [one, another] = await startTwoNodes(redis.url, environment)
  return { one, another, stop: async () => undefined }
}

/**
 * Has two devices relay frames until they are disconnected; returns how many arrived, or null when they got no relay.
 */
async function relayFrames(
  { one, another }: Nodes,
  frameCount: number,
  options: Parameters<typeof openPortalPair>[2],
): Promise<number | null> {
  const pair = await openPortalPair(one, another, options)
  const tokens = await Promise.race([requestRelayTokens(pair), pair.creator.waitFor('room-error').then(() => null)])
  if (!tokens) return null
  const [sender, receiver] = [openRelaySocket(one, tokens[0]), openRelaySocket(another, tokens[1])]
  await Promise.all([sender.opened, receiver.opened])
  for (let count = 0; count < frameCount; count += 1) sender.socket.send(frame)
  await Promise.race([receiver.closed, expect.poll(() => receiver.frames.length).toBe(frameCount)])
  sender.socket.close()
  await sender.closed
  pair.creator.socket.close()
  pair.joiner.socket.close()
  return receiver.frames.length
}

describe.each(['one process', 'Redis'])('relay quotas in %s', (storage) => {
  test('a pair without an account gets the quota of its address, and the rest of the day stays for others', async () => {
    const nodes = await startNodes(storage)

    expect(await relayFrames(nodes, 30, { headers: from('198.51.100.1') })).toBeLessThanOrEqual(10)
    expect(await relayFrames(nodes, 30, { headers: from('198.51.100.1') })).toBeNull()
    expect(await relayFrames(nodes, 5, { headers: from('198.51.100.2') })).toBe(5)
    await nodes.stop()
  })

  test('addresses of one IPv6 /48 share the quota of one address', async () => {
    const nodes = await startNodes(storage)

    expect(await relayFrames(nodes, 30, { headers: from('2001:db8:7:1::1') })).toBeLessThanOrEqual(10)
    expect(await relayFrames(nodes, 5, { headers: from('2001:db8:7:2::1') })).toBeNull()
    expect(await relayFrames(nodes, 5, { headers: from('2001:db8:8:1::1') })).toBe(5)
    await nodes.stop()
  })

  test('pairs without an account share half of the day, and an account still gets its own quota', async () => {
    const nodes = await startNodes(storage)
    const { accessToken } = await nodes.one.createMember()
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

  test('trial accounts of one network share the quota of one account', async () => {
    const nodes = await startNodes(storage)
    const members = await Promise.all([1, 2].map(() => nodes.one.createMember()))
    const [one, two] = members.map(({ accessToken }) => accessToken)
    const relay = (accessToken: string | undefined, frames: number, address: string) =>
      relayFrames(nodes, frames, { headers: from(address), ...(accessToken !== undefined && { accessToken }) })

    expect(await relay(one, 30, '2001:db8:7:1::1')).toBeLessThanOrEqual(10)
    expect(await relay(two, 5, '2001:db8:7:2::1')).toBeNull()
    expect(await relay(two, 5, '2001:db8:8:1::1')).toBe(5)
    await nodes.stop()
  })

  test('trial accounts and visitors share three quarters of the day, and the rest is for other accounts', async () => {
    const nodes = await startNodes(storage)
    for (let address = 1; address <= 6; address += 1) {
      await relayFrames(nodes, 30, { headers: from(`198.51.100.${address}`) })
    }
    for (let address = 11; address <= 14; address += 1) {
      const { accessToken } = await nodes.one.createMember()
      await relayFrames(nodes, 30, { headers: from(`198.51.100.${address}`), accessToken })
    }
    const { accessToken, userId } = await nodes.one.createMember()
    const headers = from('198.51.100.99')

    expect(await relayFrames(nodes, 5, { headers, accessToken })).toBeNull()
    const database = new DatabaseSync(join(nodes.one.folder, 'sallyport.db'))
    database.prepare("update licences set source = 'admin' where user_id = ?").run(userId)
    database.close()
    expect(await relayFrames(nodes, 5, { headers, accessToken })).toBe(5)
    await nodes.stop()
  })
})

test('a pair is throttled to the bandwidth of a room', async () => {
  const server = await startWholeServer()
  const nodes = { one: server, another: server, stop: server.stop }
  const frames = 240
  const started = performance.now()

  expect(await relayFrames(nodes, frames, {})).toBe(frames)

  // 24 MB at 16 MB a second, minus the burst.
  expect(performance.now() - started).toBeGreaterThan(1100)
  expect(await readMetric(server, 'sallyport_relayed_bytes_total')).toBe(frames * frame.length)
  await server.stop()
})
