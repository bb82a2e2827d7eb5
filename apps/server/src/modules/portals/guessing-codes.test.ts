import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../../testing/clients/portal-peer.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'
import { createTestFolder } from '../../testing/test-folder.ts'

type Servers = readonly [WholeServer, WholeServer]

const redis = useRedis()
const pakeStart = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const
const px = { v: 2, n: 'n' } as const
const guesser = { 'x-forwarded-for': '198.51.100.1' }
const neighbour = { 'x-forwarded-for': '198.51.100.2' }
const other = { 'x-forwarded-for': '198.51.100.3' }

/** PostgreSQL, because the embedded database runs one query after the other and would hide a race. */
async function onPostgres() {
  const DATABASE_URL = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  return { DATABASE_URL, DATA_DIR: createTestFolder(), TRUSTED_PROXIES: '127.0.0.1' }
}

const twoNodes = async (): Promise<Servers> => startTwoNodes(redis.url, await onPostgres())

async function oneProcess(): Promise<Servers> {
  const server = await startWholeServer(await onPostgres())
  onTestFinished(() => server.stop())
  return [server, server]
}

/** How many wrong codes the servers have counted. */
async function countWrong(servers: Servers): Promise<number> {
  let count = 0
  for (const { url } of new Set(servers)) {
    const printed = await (await fetch(`${url}/metrics`)).text()
    count += Number(/^sallyport_wrong_pins_total (\d+)/m.exec(printed)?.[1])
  }
  return count
}

/** Runs `act` `count` times concurrently, alternating between the servers. */
const runConcurrently = <Result>([one, two]: Servers, count: number, act: (server: WholeServer) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index % 2 === 0 ? one : two)))

const open = (server: WholeServer, headers: Record<string, string>) => openPortalPeer(server, undefined, headers)

async function createRoom(server: WholeServer, { version, home }: { version: 1 | 2; home: Record<string, string> }) {
  const creator = await open(server, home)
  creator.send({ type: 'create-room', deviceName: 'Laptop', ...(version === 2 && { px }) })
  return { creator, code: (await creator.waitFor('room-created')).roomCode }
}

async function join(peer: PortalPeer, roomCode: string, pake?: typeof pakeStart): Promise<string> {
  peer.send({ type: 'join-room', roomCode, deviceName: 'Phone', ...(pake && { px: pake }) })
  return (await Promise.race([peer.waitFor('room-joined'), peer.waitFor('room-error')])).type
}

async function lookUp(peer: PortalPeer, prefix: string): Promise<string> {
  peer.send({ type: 'px-locate', prefix })
  return (await peer.waitFor('px-located')).result
}

describe.each([
  { at: 'one process', start: oneProcess },
  { at: 'two nodes', start: twoNodes },
])('at $at', ({ start }) => {
  test('POR-10 T198 of 50 concurrent wrong codes of one address on 50 sockets 10 are checked', async () => {
    const servers = await start()
    const { creator, code } = await createRoom(servers[0], { version: 1, home: neighbour })
    const wrong = code === '999999' ? '999998' : '999999'
    const peers = await runConcurrently(servers, 50, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer) => join(peer, wrong)))

    expect(answers).toEqual(Array(50).fill('room-error'))
    expect(await countWrong(servers)).toBe(10)
    expect(await join(peers[0] as PortalPeer, code), 'the right code is locked out').toBe('room-error')
    expect(await creator.drain()).toEqual([])
    expect(await join(await open(servers[1], other), code)).toBe('room-joined')
  })

  test('POR-10 T198 of 50 concurrent prefix lookups of one address 10 are checked, and then the address finds no room', async () => {
    const servers = await start()
    const { code } = await createRoom(servers[0], { version: 2, home: neighbour })
    const peers = await runConcurrently(servers, 50, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer) => lookUp(peer, code === '99' ? '98' : '99')))

    expect(answers).toEqual(Array(50).fill('none'))
    expect(await countWrong(servers)).toBe(10)
    expect(await lookUp(peers[0] as PortalPeer, code)).toBe('none')
    expect(await lookUp(await open(servers[1], other), code)).toBe('v2')
  })

  test('POR-10 T198 of 50 concurrent wrong codes 10 get 404 and 40 get 429', async () => {
    const servers = await start()
    const post = async ({ url }: WholeServer) => {
      const headers = { 'content-type': 'application/json', ...guesser }
      const body = JSON.stringify({ session_pin: '999999' })
      return (await fetch(`${url}/api/portals/join`, { method: 'POST', headers, body })).status
    }

    const answers = await runConcurrently(servers, 50, post)

    expect(answers.filter((status) => status === 404)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(40)
  })

  test('POR-10 of 15 concurrent joins of one address 10 succeed before a creator has reported a wrong code', async () => {
    const servers = await start()
    const ofNeighbour = await runConcurrently(servers, 10, (server) =>
      createRoom(server, { version: 2, home: neighbour }),
    )
    const rooms = [
      ...ofNeighbour,
      ...(await runConcurrently(servers, 5, (server) => createRoom(server, { version: 2, home: other }))),
    ]
    const peers = await runConcurrently(servers, 15, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer, index) => join(peer, rooms[index]?.code ?? '', pakeStart)))

    expect(answers.filter((type) => type === 'room-joined')).toHaveLength(10)
    expect(await countWrong(servers), 'unreported codes do not count').toBe(0)
  })
})
