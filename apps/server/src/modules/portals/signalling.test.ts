import { describe, expect, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../../testing/clients/portal-peer.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

const n = 'AAAAAAAAAAAAAAAAAAAAAA'
const pakeStart = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const

const redis = useRedis()

async function createLegacyRoom(creator: PortalPeer): Promise<string> {
  creator.send({ type: 'create-room', deviceName: 'Ada’s laptop' })
  return (await creator.waitFor('room-created')).roomCode
}

async function createVerifiedRoom(creator: PortalPeer): Promise<string> {
  creator.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n } })
  return (await creator.waitFor('room-created')).roomCode
}

describe.each(['one process', 'Redis'])('rooms in %s', (storage) => {
  async function startPortals(environment: Readonly<Record<string, string>> = {}) {
    const server = await startWholeServer({ ...(storage === 'Redis' && { REDIS_URL: redis.url }), ...environment })
    return { ...server, peer: (session?: string) => openPortalPeer(server, session) }
  }

  test("POR-03 2 legacy peers pair and receive each other's messages unchanged", async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    creator.send({ type: 'create-room', deviceName: 'Ada’s laptop' })
    const created = await creator.waitFor('room-created')
    expect(created).toEqual({ type: 'room-created', roomCode: created.roomCode, peerId: expect.any(String) })
    expect(created.roomCode).toMatch(/^[1-9]\d{5}$/)

    joiner.send({ type: 'join-room', roomCode: created.roomCode, deviceName: 'Phone' })
    const joined = await joiner.waitFor('room-joined')
    expect(joined).toEqual({ type: 'room-joined', peerId: expect.any(String) })
    const arrival = await creator.waitFor('peer-joined')
    expect(arrival).toEqual({ type: 'peer-joined', deviceName: 'Phone', peerId: joined.peerId })

    const messages = [
      { type: 'webrtc-offer', data: { type: 'offer', sdp: 'v=0' } },
      { type: 'webrtc-ice-candidate', data: { candidate: 'candidate:1', sdpMid: '0' } },
      { type: 'file-offer', fileName: 'a.txt', fileSize: 12, fileType: 'text/plain', isEncrypted: true },
    ] as const
    for (const message of messages) {
      creator.send(message)
      expect(await joiner.waitFor(message.type)).toEqual(message)
    }
    joiner.send({ type: 'webrtc-answer', data: { type: 'answer', sdp: 'v=0' } })
    joiner.send({ type: 'file-accept' })
    expect((await creator.waitFor('webrtc-answer')).data).toEqual({ type: 'answer', sdp: 'v=0' })
    await creator.waitFor('file-accept')

    joiner.socket.close()
    expect(await creator.waitFor('peer-left')).toEqual({ type: 'peer-left' })
    await server.stop()
  })

  test('T200 T199 a third device is rejected, receives nothing and reaches nobody', async () => {
    const server = await startPortals()
    const [creator, joiner, third] = [await server.peer(), await server.peer(), await server.peer()]
    const roomCode = await createLegacyRoom(creator)
    joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone' })
    await joiner.waitFor('room-joined')
    await creator.waitFor('peer-joined')

    third.send({ type: 'join-room', roomCode, deviceName: 'Third' })
    expect(await third.waitFor('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    third.send({ type: 'webrtc-offer', data: 'from a stranger' })
    creator.send({ type: 'webrtc-ice-candidate', data: 'for the joiner' })

    expect((await joiner.waitFor('webrtc-ice-candidate')).data).toBe('for the joiner')
    for (const peer of [third, creator, joiner]) expect(await peer.drain()).toEqual([])
    await server.stop()
  })

  test('POR-03 a verified room reveals only its first digits to the server', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    creator.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n } })
    const { roomCode, px } = await creator.waitFor('room-created')
    expect([roomCode.length, px]).toEqual([2, { v: 2, digits: 2, resume: expect.any(String) }])

    joiner.send({ type: 'px-locate', prefix: roomCode })
    expect(await joiner.waitFor('px-located')).toEqual({ type: 'px-located', result: 'v2', n })
    joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone', px: pakeStart })
    expect((await creator.waitFor('peer-joined')).px).toEqual({ mode: 'pin', y: 'Ya', ad: 'ADa' })
    creator.send({ type: 'webrtc-offer', data: 'too early' })
    creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    expect(await joiner.waitFor('px-pake')).toEqual({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    joiner.send({ type: 'px-confirm', tag: 'tag a' })
    expect((await creator.waitFor('px-confirm')).tag).toBe('tag a')
    creator.send({ type: 'webrtc-offer', data: { px: 2, s: 0, c: 'sealed' } })
    expect((await joiner.waitFor('webrtc-offer')).data).toEqual({ px: 2, s: 0, c: 'sealed' })
    await server.stop()
  })

  test.each(['px-fail', 'leaving'] as const)('a wrong code closes the room after one guess: %s', async (ending) => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await createVerifiedRoom(creator)
    joiner.send({ type: 'join-room', roomCode, deviceName: 'Guesser', px: pakeStart })
    await creator.waitFor('peer-joined')
    creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    await joiner.waitFor('px-pake')

    if (ending === 'px-fail') joiner.send({ type: 'px-fail', stage: 'confirm-b' })
    else joiner.socket.close()

    await creator.waitFor('px-fail')
    const retry = await server.peer()
    retry.send({ type: 'join-room', roomCode, deviceName: 'Guesser', px: pakeStart })
    expect(await retry.waitFor('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    expect(await createVerifiedRoom(creator)).toMatch(/^\d\d$/)
    await server.stop()
  })

  test('a legacy peer joins a verified room when the creator confirms its last digits', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await createVerifiedRoom(creator)

    joiner.send({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
    const { peerId, px } = await creator.waitFor('peer-joined')
    expect(px).toEqual({ classic: true, tail: '4711' })
    joiner.send({ type: 'webrtc-offer', data: 'not admitted yet' })
    joiner.send({ type: 'px-locate', prefix: roomCode })
    await joiner.waitFor('px-located')
    creator.send({ type: 'px-admit', peerId, ok: true })

    expect(await joiner.waitFor('room-joined')).toEqual({ type: 'room-joined', peerId })
    expect(await creator.drain()).toEqual([])

    const [other, guesser] = [await server.peer(), await server.peer()]
    const second = await createVerifiedRoom(other)
    guesser.send({ type: 'join-room', roomCode: `${second}0000`, deviceName: 'Guesser' })
    other.send({ type: 'px-admit', peerId: (await other.waitFor('peer-joined')).peerId, ok: false })
    expect(await guesser.waitFor('room-error')).toEqual({ type: 'room-error', error: 'Failed to join room' })
    await server.stop()
  })

  test('PORTAL_CLASSIC=off allows only verified rooms', async () => {
    const server = await startPortals({ PORTAL_CLASSIC: 'off' })
    const [creator, joiner] = [await server.peer(), await server.peer()]

    creator.send({ type: 'create-room', deviceName: 'Old laptop' })
    expect(await creator.waitFor('room-error')).toEqual({ type: 'room-error', error: 'Room creation failed' })
    const roomCode = await createVerifiedRoom(creator)
    joiner.send({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
    expect((await joiner.waitFor('room-error')).error).toBe('Failed to join room')
    await server.stop()
  })

  test('a disconnected device resumes in its room, and no other device can take its slot', async () => {
    const server = await startPortals()
    const [creator, joiner] = [await server.peer(), await server.peer()]
    const roomCode = await createVerifiedRoom(creator)
    joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone', px: pakeStart })
    const { peerId, px } = await joiner.waitFor('room-joined')
    await creator.waitFor('peer-joined')
    creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
    joiner.send({ type: 'px-confirm', tag: 'tag a' })
    await creator.waitFor('px-confirm')

    joiner.socket.terminate()
    expect(await creator.waitFor('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
    const stranger = await server.peer()
    stranger.send({ type: 'px-rejoin', peerId, resume: 'guessed' })
    expect((await stranger.waitFor('room-error')).error).toBe('Failed to join room')
    const resumed = await server.peer()
    resumed.send({ type: 'px-rejoin', peerId, resume: px?.resume })
    expect(await resumed.waitFor('px-rejoined')).toEqual({ type: 'px-rejoined', peerId, isOtherHere: true })
    await creator.waitFor('px-back')
    resumed.send({ type: 'px-leave' })
    expect(await creator.waitFor('peer-left')).toEqual({ type: 'peer-left' })
    await server.stop()
  })

  test('POR-10 T198 a wrong code gets the usual error and counts over every call that accepts one', async () => {
    const server = await startPortals()
    const creator = await server.peer()
    const roomCode = await createLegacyRoom(creator)
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
      guesser.send({ type: 'join-room', roomCode: wrong, deviceName: 'Guesser' })
      expect((await guesser.waitFor('room-error')).error).toBe('Failed to join room')
    }
    expect((await post(roomCode)).status).toBe(429)
    joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone' })
    expect((await joiner.waitFor('room-error')).error).toBe('Failed to join room')
    await server.stop()
  })
})
