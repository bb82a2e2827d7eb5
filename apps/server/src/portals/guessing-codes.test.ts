import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { aFolder } from '../testing/folder.ts'
import { openPortalPeer, type PortalPeer } from '../testing/portal-peer.ts'
import { useRedis } from '../testing/redis-server.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

type Servers = readonly [WholeServer, WholeServer]

const redis = useRedis()
const asked = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const
const px = { v: 2, n: 'n' } as const
const guesser = { 'x-forwarded-for': '198.51.100.1' }
const neighbour = { 'x-forwarded-for': '198.51.100.2' }
const other = { 'x-forwarded-for': '198.51.100.3' }

/** PostgreSQL: the embedded database answers one question after the other, so that nothing would slip in there anyhow. */
async function onPostgres() {
  const DATABASE_URL = await (await fetch(`${inject('databaseDesk')}/postgres`)).text()
  return { DATABASE_URL, DATA_DIR: aFolder(), TRUSTED_PROXIES: '127.0.0.1' }
}

const twoNodes = async (): Promise<Servers> => startTwoNodes(redis.url, await onPostgres())

async function oneProcess(): Promise<Servers> {
  const server = await startWholeServer(await onPostgres())
  onTestFinished(() => server.stop())
  return [server, server]
}

/** How many codes the servers have looked for that led nowhere. */
async function countWrong(servers: Servers): Promise<number> {
  let count = 0
  for (const { url } of new Set(servers)) {
    const printed = await (await fetch(`${url}/metrics`)).text()
    count += Number(/^sallyport_wrong_pins_total (\d+)/m.exec(printed)?.[1])
  }
  return count
}

/** The same so many times at once, at one server and the other by turns. */
const atOnce = <Result>([one, two]: Servers, count: number, act: (server: WholeServer) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index % 2 === 0 ? one : two)))

const open = (server: WholeServer, headers: Record<string, string>) => openPortalPeer(server, undefined, headers)

async function aRoom(server: WholeServer, { version, home }: { version: 1 | 2; home: Record<string, string> }) {
  const creator = await open(server, home)
  creator.say({ type: 'create-room', deviceName: 'Laptop', ...(version === 2 && { px }) })
  return { creator, code: (await creator.take('room-created')).roomCode }
}

async function join(peer: PortalPeer, roomCode: string, proof?: typeof asked): Promise<string> {
  peer.say({ type: 'join-room', roomCode, deviceName: 'Phone', ...(proof && { px: proof }) })
  return (await Promise.race([peer.take('room-joined'), peer.take('room-error')])).type
}

async function locate(peer: PortalPeer, prefix: string): Promise<string> {
  peer.say({ type: 'px-locate', prefix })
  return (await peer.take('px-located')).result
}

describe.each([
  { at: 'one process', start: oneProcess },
  { at: 'two nodes', start: twoNodes },
])('at $at', ({ start }) => {
  test('POR-10 T198 of fifty wrong codes that an address says at once by fifty sockets ten are looked for', async () => {
    const servers = await start()
    const { creator, code } = await aRoom(servers[0], { version: 1, home: neighbour })
    const wrong = code === '999999' ? '999998' : '999999'
    const peers = await atOnce(servers, 50, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer) => join(peer, wrong)))

    expect(answers).toEqual(Array(50).fill('room-error'))
    expect(await countWrong(servers)).toBe(10)
    expect(await join(peers[0] as PortalPeer, code), 'the right one comes too late').toBe('room-error')
    expect(await creator.settled()).toEqual([])
    expect(await join(await open(servers[1], other), code)).toBe('room-joined')
  })

  test('POR-10 T198 of fifty first digits asked for at once ten are looked for, and then the address finds no room', async () => {
    const servers = await start()
    const { code } = await aRoom(servers[0], { version: 2, home: neighbour })
    const peers = await atOnce(servers, 50, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer) => locate(peer, code === '99' ? '98' : '99')))

    expect(answers).toEqual(Array(50).fill('none'))
    expect(await countWrong(servers)).toBe(10)
    expect(await locate(peers[0] as PortalPeer, code)).toBe('none')
    expect(await locate(await open(servers[1], other), code)).toBe('v2')
  })

  test('POR-10 T198 of fifty calls at once with a wrong code ten are told so, and the others to wait', async () => {
    const servers = await start()
    const ask = async ({ url }: WholeServer) => {
      const headers = { 'content-type': 'application/json', ...guesser }
      const body = JSON.stringify({ session_pin: '999999' })
      return (await fetch(`${url}/api/portals/join`, { method: 'POST', headers, body })).status
    }

    const answers = await atOnce(servers, 50, ask)

    expect(answers.filter((status) => status === 404)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(40)
  })

  test('POR-10 of fifteen rooms that an address tries at once it gets into ten, before a creator knows it to be wrong', async () => {
    const servers = await start()
    const atNeighbours = await atOnce(servers, 10, (server) => aRoom(server, { version: 2, home: neighbour }))
    const rooms = [
      ...atNeighbours,
      ...(await atOnce(servers, 5, (server) => aRoom(server, { version: 2, home: other }))),
    ]
    const peers = await atOnce(servers, 15, (server) => open(server, guesser))

    const answers = await Promise.all(peers.map((peer, index) => join(peer, rooms[index]?.code ?? '', asked)))

    expect(answers.filter((type) => type === 'room-joined')).toHaveLength(10)
    expect(await countWrong(servers), 'whom nobody has called wrong is not taken for it').toBe(0)
  })
})
