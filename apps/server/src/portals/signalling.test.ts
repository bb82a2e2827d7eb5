import { describe, expect, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../testing/portal-peer.ts'
import { useRedis } from '../testing/redis-server.ts'
import { startWholeServer } from '../testing/whole-server.ts'

const n = 'AAAAAAAAAAAAAAAAAAAAAA'
const asked = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const

const redis = useRedis()

async function basicRoom(creator: PortalPeer): Promise<string> {
  creator.say({ type: 'create-room', deviceName: 'Ada’s laptop' })
  return (await creator.take('room-created')).roomCode
}

async function provingRoom(creator: PortalPeer): Promise<string> {
  creator.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n } })
  return (await creator.take('room-created')).roomCode
}

describe.each(['one process', 'Redis'])('rooms kept by %s', (keeper) => {
  async function startPortals(environment: Readonly<Record<string, string>> = {}) {
    const server = await startWholeServer({ ...(keeper === 'Redis' && { REDIS_URL: redis.url }), ...environment })
    return { ...server, peer: (session?: string) => openPortalPeer(server, session) }
  }

  test('POR-03 two devices that know only the specification meet, and hear each other word for word', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    creator.say({ type: 'create-room', deviceName: 'Ada’s laptop' })
    const created = await creator.take('room-created')
    expect(created).toEqual({ type: 'room-created', roomCode: created.roomCode, peerId: expect.any(String) })
    expect(created.roomCode).toMatch(/^[1-9]\d{5}$/)

    joiner.say({ type: 'join-room', roomCode: created.roomCode, deviceName: 'Phone' })
    const joined = await joiner.take('room-joined')
    expect(joined).toEqual({ type: 'room-joined', peerId: expect.any(String) })
    const arrived = await creator.take('peer-joined')
    expect(arrived).toEqual({ type: 'peer-joined', deviceName: 'Phone', peerId: joined.peerId })

    const words = [
      { type: 'webrtc-offer', data: { type: 'offer', sdp: 'v=0' } },
      { type: 'webrtc-ice-candidate', data: { candidate: 'candidate:1', sdpMid: '0' } },
      { type: 'file-offer', fileName: 'a.txt', fileSize: 12, fileType: 'text/plain', isEncrypted: true },
    ] as const
    for (const word of words) {
      creator.say(word)
      expect(await joiner.take(word.type)).toEqual(word)
    }
    joiner.say({ type: 'webrtc-answer', data: { type: 'answer', sdp: 'v=0' } })
    joiner.say({ type: 'file-accept' })
    expect((await creator.take('webrtc-answer')).data).toEqual({ type: 'answer', sdp: 'v=0' })
    await creator.take('file-accept')

    joiner.socket.close()
    expect(await creator.take('peer-left')).toEqual({ type: 'peer-left' })
    await server.stop()
  })

  test('T200 T199 a third device is refused, and hears and reaches nobody', async () => {
    const server = await startPortals()
    const [creator, joiner, third] = [await server.peer(), await server.peer(), await server.peer()]
    const roomCode = await basicRoom(creator)
    joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone' })
    await joiner.take('room-joined')
    await creator.take('peer-joined')

    third.say({ type: 'join-room', roomCode, deviceName: 'Third' })
    expect(await third.take('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    third.say({ type: 'webrtc-offer', data: 'from a stranger' })
    creator.say({ type: 'webrtc-ice-candidate', data: 'for the joiner' })

    expect((await joiner.take('webrtc-ice-candidate')).data).toBe('for the joiner')
    for (const peer of [third, creator, joiner]) expect(await peer.settled()).toEqual([])
    await server.stop()
  })

  test('POR-03 a room whose devices prove the code gives the server only its first digits', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    creator.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n } })
    const { roomCode, px } = await creator.take('room-created')
    expect([roomCode.length, px]).toEqual([2, { v: 2, digits: 2, resume: expect.any(String) }])

    joiner.say({ type: 'px-locate', prefix: roomCode })
    expect(await joiner.take('px-located')).toEqual({ type: 'px-located', result: 'v2', n })
    joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone', px: asked })
    expect((await creator.take('peer-joined')).px).toEqual({ mode: 'pin', y: 'Ya', ad: 'ADa' })
    creator.say({ type: 'webrtc-offer', data: 'too early' })
    creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    expect(await joiner.take('px-pake')).toEqual({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    joiner.say({ type: 'px-confirm', tag: 'tag a' })
    expect((await creator.take('px-confirm')).tag).toBe('tag a')
    creator.say({ type: 'webrtc-offer', data: { px: 2, s: 0, c: 'sealed' } })
    expect((await joiner.take('webrtc-offer')).data).toEqual({ px: 2, s: 0, c: 'sealed' })
    await server.stop()
  })

  test.each(['px-fail', 'leaving'] as const)('a wrong code ends the room after one guess, by %s', async (way) => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await provingRoom(creator)
    joiner.say({ type: 'join-room', roomCode, deviceName: 'Guesser', px: asked })
    await creator.take('peer-joined')
    creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    await joiner.take('px-pake')

    if (way === 'px-fail') joiner.say({ type: 'px-fail', stage: 'confirm-b' })
    else joiner.socket.close()

    await creator.take('px-fail')
    const again = await server.peer()
    again.say({ type: 'join-room', roomCode, deviceName: 'Guesser', px: asked })
    expect(await again.take('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    expect(await provingRoom(creator)).toMatch(/^\d\d$/)
    await server.stop()
  })

  test('a device of the basic protocol gets into a proving room when the creator knows its last digits', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await provingRoom(creator)

    joiner.say({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
    const { peerId, px } = await creator.take('peer-joined')
    expect(px).toEqual({ classic: true, tail: '4711' })
    joiner.say({ type: 'webrtc-offer', data: 'not admitted yet' })
    joiner.say({ type: 'px-locate', prefix: roomCode })
    await joiner.take('px-located')
    creator.say({ type: 'px-admit', peerId, ok: true })

    expect(await joiner.take('room-joined')).toEqual({ type: 'room-joined', peerId })
    expect(await creator.settled()).toEqual([])

    const [other, guesser] = [await server.peer(), await server.peer()]
    const second = await provingRoom(other)
    guesser.say({ type: 'join-room', roomCode: `${second}0000`, deviceName: 'Guesser' })
    other.say({ type: 'px-admit', peerId: (await other.take('peer-joined')).peerId, ok: false })
    expect(await guesser.take('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    await server.stop()
  })

  test('PORTAL_CLASSIC=off leaves only rooms that are proved', async () => {
    const server = await startPortals({ PORTAL_CLASSIC: 'off' })
    const [creator, joiner] = [await server.peer(), await server.peer()]

    creator.say({ type: 'create-room', deviceName: 'Old laptop' })
    expect(await creator.take('room-error')).toEqual({ type: 'room-error', error: 'Room creation failed' })
    const roomCode = await provingRoom(creator)
    joiner.say({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
    expect((await joiner.take('room-error')).error).toBe('Failed to join room')
    await server.stop()
  })

  test('a device that lost its line comes back to its room, and nobody else in its name', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await provingRoom(creator)
    joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone', px: asked })
    const { peerId, px } = await joiner.take('room-joined')
    await creator.take('peer-joined')
    creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    joiner.say({ type: 'px-confirm', tag: 'tag a' })
    await creator.take('px-confirm')

    joiner.socket.terminate()
    expect(await creator.take('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
    const stranger = await server.peer()
    stranger.say({ type: 'px-rejoin', peerId, resume: 'guessed' })
    expect((await stranger.take('room-error')).error).toBe('Failed to join room')
    const back = await server.peer()
    back.say({ type: 'px-rejoin', peerId, resume: px?.resume })
    expect(await back.take('px-rejoined')).toEqual({ type: 'px-rejoined', peerId, isOtherHere: true })
    await creator.take('px-back')
    back.say({ type: 'px-leave' })
    expect(await creator.take('peer-left')).toEqual({ type: 'peer-left' })
    await server.stop()
  })

  test('POR-10 T198 a code that leads nowhere answers as any other and counts, over every call that takes one', async () => {
    const server = await startPortals()
    const creator = await server.peer()
    const roomCode = await basicRoom(creator)
    const post = async (session_pin: string) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ session_pin })
      const answer = await fetch(`${server.url}/api/portals/join`, { method: 'POST', headers, body })
      return {
        status: answer.status,
        ...((await answer.json()) as { error?: string; session?: { temp_token: string } }),
      }
    }
    const wrong = roomCode === '999999' ? '999998' : '999999'

    const found = await post(roomCode)
    expect(found.status).toBe(200)
    expect(await post('12345')).toMatchObject({ status: 400, error: 'PIN must be exactly 6 digits' })
    expect(await post(wrong)).toMatchObject({ status: 404, error: 'Room not found' })
    const joiner = await server.peer(found.session?.temp_token)

    const guesser = await server.peer()
    for (let guess = 0; guess < 9; guess += 1) {
      guesser.say({ type: 'join-room', roomCode: wrong, deviceName: 'Guesser' })
      expect((await guesser.take('room-error')).error).toBe('Failed to join room')
    }
    expect((await post(roomCode)).status).toBe(429)
    joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone' })
    expect((await joiner.take('room-error')).error).toBe('Failed to join room')
    await server.stop()
  })
})
