import { expect, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../../testing/clients/portal-peer.ts'
import { useRedis } from '../../testing/engines/redis-server.ts'
import { startTwoNodes } from '../../testing/servers/two-nodes.ts'

const redis = useRedis()
const pakeStart = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const
const refused = { type: 'room-error', error: 'Failed to join room' }

/** One device at each of two nodes. */
async function connectDevices(environment: Readonly<Record<string, string>> = {}) {
  const nodes = await startTwoNodes(redis.url, environment)
  const [creator, joiner] = [await openPortalPeer(nodes[0]), await openPortalPeer(nodes[1])]
  return { nodes, creator, joiner }
}

async function createVerifiedRoom(creator: PortalPeer) {
  creator.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  return creator.waitFor('room-created')
}

async function pair(creator: PortalPeer, joiner: PortalPeer) {
  const created = await createVerifiedRoom(creator)
  joiner.send({ type: 'join-room', roomCode: created.roomCode, deviceName: 'Phone', px: pakeStart })
  const joined = await joiner.waitFor('room-joined')
  await creator.waitFor('peer-joined')
  creator.send({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
  await joiner.waitFor('px-pake')
  joiner.send({ type: 'px-confirm', tag: 'tag a' })
  await creator.waitFor('px-confirm')
  return { created, joined }
}

test('POR-03 legacy peers pair over 2 nodes and disconnect', async () => {
  const { nodes, creator, joiner } = await connectDevices()
  creator.send({ type: 'create-room', deviceName: 'Old laptop' })
  const { roomCode } = await creator.waitFor('room-created')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ session_pin: roomCode })
  const found = await fetch(`${nodes[1].url}/api/portals/join`, { method: 'POST', headers, body })
  expect(found.status).toBe(200)

  joiner.send({ type: 'join-room', roomCode, deviceName: 'Old phone' })
  const { peerId } = await joiner.waitFor('room-joined')
  expect(await creator.waitFor('peer-joined')).toEqual({ type: 'peer-joined', deviceName: 'Old phone', peerId })
  creator.send({ type: 'file-offer', fileName: 'a.txt', fileSize: 12, fileType: 'text/plain', isEncrypted: true })
  expect(await joiner.waitFor('file-offer')).toMatchObject({ fileName: 'a.txt', fileSize: 12 })
  joiner.send({ type: 'file-accept' })
  await creator.waitFor('file-accept')

  joiner.socket.close()
  expect(await creator.waitFor('peer-left')).toEqual({ type: 'peer-left' })
})

test('POR-03 a code is verified over 2 nodes, and messages of a device arrive in the order they were sent', async () => {
  const { creator, joiner } = await connectDevices()
  await pair(creator, joiner)
  const numbers = Array.from({ length: 50 }, (_, s) => s)

  for (const s of numbers) creator.send({ type: 'webrtc-ice-candidate', data: { px: 2, s, c: 'sealed' } })
  const received = []
  for (const _ of numbers) received.push((await joiner.waitFor('webrtc-ice-candidate')).data)

  expect(received).toEqual(numbers.map((s) => ({ px: 2, s, c: 'sealed' })))
})

test('POR-03 a legacy peer asks at one node and is admitted at another', async () => {
  const { creator, joiner } = await connectDevices()
  const { roomCode } = await createVerifiedRoom(creator)

  joiner.send({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
  const { peerId, px } = await creator.waitFor('peer-joined')
  creator.send({ type: 'px-admit', peerId, ok: true })

  expect(px).toEqual({ classic: true, tail: '4711' })
  expect(await joiner.waitFor('room-joined')).toEqual({ type: 'room-joined', peerId })
})

test('POR-10 of 2 concurrent guesses at 2 nodes one is relayed, and a wrong guess closes the room on all nodes', async () => {
  const { nodes, creator, joiner: first } = await connectDevices()
  const guessers = { first, second: await openPortalPeer(nodes[0]) }
  for (let round = 0; round < 3; round += 1) {
    const { roomCode } = await createVerifiedRoom(creator)
    for (const [y, guesser] of Object.entries(guessers)) {
      guesser.send({ type: 'join-room', roomCode, deviceName: 'Guesser', px: { ...pakeStart, y } })
    }
    const { px } = await creator.waitFor('peer-joined')
    const [relayed, other] = px && 'y' in px && px.y === 'first' ? [first, guessers.second] : [guessers.second, first]
    await relayed.waitFor('room-joined')
    expect(await other.waitFor('room-error')).toEqual(refused)

    relayed.send({ type: 'px-fail', stage: 'confirm-b' })
    await creator.waitFor('px-fail')
    other.send({ type: 'join-room', roomCode, deviceName: 'Guesser', px: pakeStart })
    expect(await other.waitFor('room-error')).toEqual(refused)
    expect(await creator.drain()).toEqual([])
  }
})

test('an address holds 10 open rooms over all nodes, and closing one frees it at the other node', async () => {
  const { nodes } = await connectDevices()
  const create = async (index: number) => {
    const peer = await openPortalPeer(nodes[index % 2 ? 1 : 0])
    peer.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
    return peer
  }
  const peers = []
  for (let index = 0; index < 10; index += 1) peers.push(await create(index))
  const created = await Promise.all(peers.map((peer) => peer.waitFor('room-created')))
  expect(new Set(created.map(({ roomCode }) => roomCode)).size).toBe(10)

  const more = await create(1)
  expect((await more.waitFor('room-error')).error).toBe('Room creation failed')
  peers[0]?.send({ type: 'px-leave' })
  await expect
    .poll(async () => {
      const one = await create(1)
      return (await Promise.race([one.waitFor('room-created'), one.waitFor('room-error')])).type
    })
    .toBe('room-created')
})

test('a disconnected device resumes at another node, and its old connection can no longer send', async () => {
  const { nodes, creator, joiner } = await connectDevices()
  const { joined } = await pair(creator, joiner)
  const rejoin = { type: 'px-rejoin', peerId: joined.peerId, resume: joined.px?.resume }

  const resumed = await openPortalPeer(nodes[0])
  resumed.send({ ...rejoin, resume: 'guessed' })
  expect(await resumed.waitFor('room-error')).toEqual(refused)
  resumed.send(rejoin)
  expect(await resumed.waitFor('px-rejoined')).toEqual({
    type: 'px-rejoined',
    peerId: joined.peerId,
    isOtherHere: true,
  })
  await creator.waitFor('px-back')
  joiner.send({ type: 'webrtc-answer', data: 'from the old connection' })
  joiner.socket.terminate()
  await joiner.closeCode()
  resumed.send({ type: 'webrtc-answer', data: 'from the new connection' })

  expect((await creator.waitFor('webrtc-answer')).data).toBe('from the new connection')
  expect(await creator.drain()).toEqual([])
  resumed.socket.terminate()
  expect(await creator.waitFor('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
})
