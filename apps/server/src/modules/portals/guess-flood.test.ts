import { portalRoomLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../../testing/clients/portal-peer.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

const redis = useRedis()
const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const px = { v: 2, n: 'n' } as const
const pakeStart = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const

async function oneProcess(): Promise<readonly [WholeServer, WholeServer]> {
  const server = await startWholeServer(proxied)
  onTestFinished(() => server.stop())
  return [server, server]
}

const open = (server: WholeServer, address: string) => openPortalPeer(server, undefined, { 'x-forwarded-for': address })

const stranger = (index: number): string => `198.51.100.${index + 1}`

async function createRoom(server: WholeServer, linkOnly: boolean) {
  const creator = await open(server, '203.0.113.9')
  creator.send({ type: 'create-room', deviceName: 'Laptop', px: { ...px, linkOnly } })
  return { creator, code: (await creator.waitFor('room-created')).roomCode }
}

async function join(peer: PortalPeer, roomCode: string): Promise<string> {
  peer.send({ type: 'join-room', roomCode, deviceName: 'Phone', px: pakeStart })
  return (await Promise.race([peer.waitFor('room-joined'), peer.waitFor('room-error')])).type
}

/** Joins without knowing the code and sends nothing afterwards. */
async function guess(server: WholeServer, roomCode: string, index: number): Promise<string> {
  const peer = await open(server, stranger(index))
  const answer = await join(peer, roomCode)
  if (answer === 'room-joined') await peer.waitFor('px-fail')
  peer.socket.terminate()
  return answer
}

describe.each([
  { at: 'one process', start: oneProcess },
  { at: 'two nodes', start: () => startTwoNodes(redis.url, proxied) },
])('at $at', ({ start }) => {
  test('T198 a creator that opens a room after each wrong guess is not disconnected for its own answers', async () => {
    const [one, two] = await start()
    const { creator, code } = await createRoom(one, false)
    let current = code
    for (let index = 0; index < 50; index += 1) {
      const pending = guess(index % 2 === 0 ? two : one, current, index)
      await creator.waitFor('peer-joined')
      creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag' })
      creator.send({ type: 'px-fail', stage: 'confirm-a' })
      expect(await pending).toBe('room-joined')
      creator.send({ type: 'create-room', deviceName: 'Laptop', px })
      current = (await creator.waitFor('room-created')).roomCode
    }
    expect(creator.socket.readyState).toBe(creator.socket.OPEN)
  })

  test('T198 a link room stays open after wrong guesses; 10 a minute reach its creator', async () => {
    const [one, two] = await start()
    const { creator, code } = await createRoom(one, true)
    const { points } = portalRoomLimits.joinsPerRoom
    for (let index = 0; index < points; index += 1) {
      const pending = guess(two, code, index)
      await creator.waitFor('peer-joined')
      creator.send({ type: 'px-fail', stage: 'link-only' })
      expect(await pending).toBe('room-joined')
    }

    const later = await Promise.all(Array.from({ length: 10 }, (_, index) => guess(one, code, points + index)))

    expect(later).toEqual(Array(10).fill('room-error'))
    expect(await creator.drain()).toEqual([])
    const client = await open(two, '203.0.113.77')
    client.send({ type: 'px-locate', prefix: code })
    expect((await client.waitFor('px-located')).result).toBe('v2')
  })

  test('T198 a guesser that confirms and leaves does not block the creator from opening another room', async () => {
    const [one, two] = await start()
    const { creator, code } = await createRoom(one, false)
    const guesser = await open(two, stranger(0))
    expect(await join(guesser, code)).toBe('room-joined')
    await creator.waitFor('peer-joined')
    creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag' })
    await guesser.waitFor('px-pake')
    guesser.send({ type: 'px-confirm', tag: 'wrong' })
    guesser.send({ type: 'px-leave' })
    await creator.waitFor('px-confirm')
    await creator.waitFor('peer-left')

    creator.send({ type: 'px-fail', stage: 'confirm-a' })
    await creator.drain()
    creator.send({ type: 'create-room', deviceName: 'Laptop', px })

    expect((await creator.waitFor('room-created')).roomCode).toMatch(/^[1-9]\d$/)
  })

  test('T198 POR-10 an address gets 30 code lookups in 10 minutes over all calls', async () => {
    const [one, two] = await start()
    const { code } = await createRoom(one, false)
    const client = await open(two, stranger(0))
    const { points } = rateLimits.portalLookupsPerAddress
    const results: string[] = []
    const waits: (number | undefined)[] = []
    for (let count = 0; count < points + 5; count += 1) {
      client.send({ type: 'px-locate', prefix: code })
      const { result, retryAfterSeconds } = await client.waitFor('px-located')
      results.push(result)
      waits.push(retryAfterSeconds)
    }
    expect(waits.slice(0, points)).toEqual(Array(points).fill(undefined))
    for (const wait of waits.slice(points)) expect(wait).toSatisfy((seconds) => seconds > 550 && seconds <= 600)
    expect(results).toEqual([...Array(points).fill('v2'), ...Array(5).fill('none')])

    const postJoin = (address: string) =>
      fetch(`${one.url}/api/portals/join`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ session_pin: `${code}0000` }),
      })
    const refused = await postJoin(stranger(0))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(550)
    expect((await postJoin(stranger(1))).status).toBe(200)
  })
})
