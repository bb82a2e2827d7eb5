import { portalRoomLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../testing/portal-peer.ts'
import { useRedis } from '../testing/redis-server.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

const redis = useRedis()
const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const px = { v: 2, n: 'n' } as const
const proof = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const

async function oneProcess(): Promise<readonly [WholeServer, WholeServer]> {
  const server = await startWholeServer(proxied)
  onTestFinished(() => server.stop())
  return [server, server]
}

const open = (server: WholeServer, address: string) => openPortalPeer(server, undefined, { 'x-forwarded-for': address })

const stranger = (index: number): string => `198.51.100.${index + 1}`

async function aRoom(server: WholeServer, linkOnly: boolean) {
  const creator = await open(server, '203.0.113.9')
  creator.say({ type: 'create-room', deviceName: 'Laptop', px: { ...px, linkOnly } })
  return { creator, code: (await creator.take('room-created')).roomCode }
}

async function join(peer: PortalPeer, roomCode: string): Promise<string> {
  peer.say({ type: 'join-room', roomCode, deviceName: 'Phone', px: proof })
  return (await Promise.race([peer.take('room-joined'), peer.take('room-error')])).type
}

/** Guesses without knowing the code, and says no word after it. */
async function guess(server: WholeServer, roomCode: string, index: number): Promise<string> {
  const peer = await open(server, stranger(index))
  const answer = await join(peer, roomCode)
  if (answer === 'room-joined') await peer.take('px-fail')
  peer.socket.terminate()
  return answer
}

describe.each([
  { at: 'one process', start: oneProcess },
  { at: 'two nodes', start: () => startTwoNodes(redis.url, proxied) },
])('at $at', ({ start }) => {
  test('T198 a creator that opens a room after each wrong guess is not closed by its own answers', async () => {
    const [one, two] = await start()
    const { creator, code } = await aRoom(one, false)
    let present = code
    for (let index = 0; index < 50; index += 1) {
      const guessed = guess(index % 2 === 0 ? two : one, present, index)
      await creator.take('peer-joined')
      creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag' })
      creator.say({ type: 'px-fail', stage: 'confirm-a' })
      expect(await guessed).toBe('room-joined')
      creator.say({ type: 'create-room', deviceName: 'Laptop', px })
      present = (await creator.take('room-created')).roomCode
    }
    expect(creator.socket.readyState).toBe(creator.socket.OPEN)
  })

  test('T198 the room of a link goes on after wrong guesses, of which ten a minute reach its creator', async () => {
    const [one, two] = await start()
    const { creator, code } = await aRoom(one, true)
    const { points } = portalRoomLimits.arrivalsPerRoom
    for (let index = 0; index < points; index += 1) {
      const guessed = guess(two, code, index)
      await creator.take('peer-joined')
      creator.say({ type: 'px-fail', stage: 'link-only' })
      expect(await guessed).toBe('room-joined')
    }

    const later = await Promise.all(Array.from({ length: 10 }, (_, index) => guess(one, code, points + index)))

    expect(later).toEqual(Array(10).fill('room-error'))
    expect(await creator.settled()).toEqual([])
    const asking = await open(two, '203.0.113.77')
    asking.say({ type: 'px-locate', prefix: code })
    expect((await asking.take('px-located')).result).toBe('v2')
  })

  test('T198 a guesser that confirms and leaves does not keep the creator from another room', async () => {
    const [one, two] = await start()
    const { creator, code } = await aRoom(one, false)
    const guesser = await open(two, stranger(0))
    expect(await join(guesser, code)).toBe('room-joined')
    await creator.take('peer-joined')
    creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag' })
    await guesser.take('px-pake')
    guesser.say({ type: 'px-confirm', tag: 'wrong' })
    guesser.say({ type: 'px-leave' })
    await creator.take('px-confirm')
    await creator.take('peer-left')

    creator.say({ type: 'px-fail', stage: 'confirm-a' })
    await creator.settled()
    creator.say({ type: 'create-room', deviceName: 'Laptop', px })

    expect((await creator.take('room-created')).roomCode).toMatch(/^[1-9]\d$/)
  })

  test('T198 POR-10 an address learns of 30 codes in ten minutes what they lead to, by whichever call it asks', async () => {
    const [one, two] = await start()
    const { code } = await aRoom(one, false)
    const asking = await open(two, stranger(0))
    const { points } = rateLimits.portalLookupsPerAddress
    const results: string[] = []
    const waits: (number | undefined)[] = []
    for (let count = 0; count < points + 5; count += 1) {
      asking.say({ type: 'px-locate', prefix: code })
      const { result, retryAfterSeconds } = await asking.take('px-located')
      results.push(result)
      waits.push(retryAfterSeconds)
    }
    expect(waits.slice(0, points)).toEqual(Array(points).fill(undefined))
    for (const wait of waits.slice(points)) expect(wait).toSatisfy((seconds) => seconds > 550 && seconds <= 600)
    expect(results).toEqual([...Array(points).fill('v2'), ...Array(5).fill('none')])

    const ask = (address: string) =>
      fetch(`${one.url}/api/portals/join`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ session_pin: `${code}0000` }),
      })
    const refused = await ask(stranger(0))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(550)
    expect((await ask(stranger(1))).status).toBe(200)
  })
})
