import { expect, test } from 'vitest'
import { openPortalPeer, type PortalPeer } from '../testing/portal-peer.ts'
import { useRedis } from '../testing/redis-server.ts'
import { startTwoNodes } from '../testing/two-nodes.ts'

const redis = useRedis()
const asked = { v: 2, mode: 'pin', y: 'Ya', ad: 'ADa' } as const
const refused = { type: 'room-error', error: 'Failed to join room' }

/** One device at each of two nodes. */
async function aDeviceAtEach(environment: Readonly<Record<string, string>> = {}) {
  const nodes = await startTwoNodes(redis.url, environment)
  const [creator, joiner] = [await openPortalPeer(nodes[0]), await openPortalPeer(nodes[1])]
  return { nodes, creator, joiner }
}

async function provingRoom(creator: PortalPeer) {
  creator.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  return creator.take('room-created')
}

async function pair(creator: PortalPeer, joiner: PortalPeer) {
  const created = await provingRoom(creator)
  joiner.say({ type: 'join-room', roomCode: created.roomCode, deviceName: 'Phone', px: asked })
  const joined = await joiner.take('room-joined')
  await creator.take('peer-joined')
  creator.say({ type: 'px-pake', y: 'Yb', ad: 'ADb', tag: 'tag b' })
  await joiner.take('px-pake')
  joiner.say({ type: 'px-confirm', tag: 'tag a' })
  await creator.take('px-confirm')
  return { created, joined }
}

test('POR-03 devices of the basic protocol meet over two nodes, and part again', async () => {
  const { nodes, creator, joiner } = await aDeviceAtEach()
  creator.say({ type: 'create-room', deviceName: 'Old laptop' })
  const { roomCode } = await creator.take('room-created')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ session_pin: roomCode })
  const found = await fetch(`${nodes[1].url}/api/portals/join`, { method: 'POST', headers, body })
  expect(found.status).toBe(200)

  joiner.say({ type: 'join-room', roomCode, deviceName: 'Old phone' })
  const { peerId } = await joiner.take('room-joined')
  expect(await creator.take('peer-joined')).toEqual({ type: 'peer-joined', deviceName: 'Old phone', peerId })
  creator.say({ type: 'file-offer', fileName: 'a.txt', fileSize: 12, fileType: 'text/plain', isEncrypted: true })
  expect(await joiner.take('file-offer')).toMatchObject({ fileName: 'a.txt', fileSize: 12 })
  joiner.say({ type: 'file-accept' })
  await creator.take('file-accept')

  joiner.socket.close()
  expect(await creator.take('peer-left')).toEqual({ type: 'peer-left' })
})

test('POR-03 a code is proved over two nodes, and what one device says arrives in the order it was said', async () => {
  const { creator, joiner } = await aDeviceAtEach()
  await pair(creator, joiner)
  const numbers = Array.from({ length: 50 }, (_, s) => s)

  for (const s of numbers) creator.say({ type: 'webrtc-ice-candidate', data: { px: 2, s, c: 'sealed' } })
  const heard = []
  for (const _ of numbers) heard.push((await joiner.take('webrtc-ice-candidate')).data)

  expect(heard).toEqual(numbers.map((s) => ({ px: 2, s, c: 'sealed' })))
})

test('POR-03 a device of the basic protocol asks at one node, and is let in at another', async () => {
  const { creator, joiner } = await aDeviceAtEach()
  const { roomCode } = await provingRoom(creator)

  joiner.say({ type: 'join-room', roomCode: `${roomCode}4711`, deviceName: 'Old phone' })
  const { peerId, px } = await creator.take('peer-joined')
  creator.say({ type: 'px-admit', peerId, ok: true })

  expect(px).toEqual({ classic: true, tail: '4711' })
  expect(await joiner.take('room-joined')).toEqual({ type: 'room-joined', peerId })
})

test('POR-10 of two who guess at once at two nodes one is heard, and a wrong guess ends the room for all', async () => {
  const { nodes, creator, joiner: first } = await aDeviceAtEach()
  const guessers = { first, second: await openPortalPeer(nodes[0]) }
  for (let round = 0; round < 3; round += 1) {
    const { roomCode } = await provingRoom(creator)
    for (const [y, guesser] of Object.entries(guessers)) {
      guesser.say({ type: 'join-room', roomCode, deviceName: 'Guesser', px: { ...asked, y } })
    }
    const { px } = await creator.take('peer-joined')
    const [heard, other] = px && 'y' in px && px.y === 'first' ? [first, guessers.second] : [guessers.second, first]
    await heard.take('room-joined')
    expect(await other.take('room-error')).toEqual(refused)

    heard.say({ type: 'px-fail', stage: 'confirm-b' })
    await creator.take('px-fail')
    other.say({ type: 'join-room', roomCode, deviceName: 'Guesser', px: asked })
    expect(await other.take('room-error')).toEqual(refused)
    expect(await creator.settled()).toEqual([])
  }
})

test('an address has ten open rooms over all nodes, and one that closes makes room at the other node', async () => {
  const { nodes } = await aDeviceAtEach()
  const create = async (index: number) => {
    const peer = await openPortalPeer(nodes[index % 2 ? 1 : 0])
    peer.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
    return peer
  }
  const peers = []
  for (let index = 0; index < 10; index += 1) peers.push(await create(index))
  const created = await Promise.all(peers.map((peer) => peer.take('room-created')))
  expect(new Set(created.map(({ roomCode }) => roomCode)).size).toBe(10)

  const more = await create(1)
  expect((await more.take('room-error')).error).toBe('Room creation failed')
  peers[0]?.say({ type: 'px-leave' })
  await expect
    .poll(async () => {
      const one = await create(1)
      return (await Promise.race([one.take('room-created'), one.take('room-error')])).type
    })
    .toBe('room-created')
})

test('a device whose line broke comes back at another node, and its old line says nothing for it any more', async () => {
  const { nodes, creator, joiner } = await aDeviceAtEach()
  const { joined } = await pair(creator, joiner)
  const seat = { type: 'px-rejoin', peerId: joined.peerId, resume: joined.px?.resume }

  const back = await openPortalPeer(nodes[0])
  back.say({ ...seat, resume: 'guessed' })
  expect(await back.take('room-error')).toEqual(refused)
  back.say(seat)
  expect(await back.take('px-rejoined')).toEqual({ type: 'px-rejoined', peerId: joined.peerId, isOtherHere: true })
  await creator.take('px-back')
  joiner.say({ type: 'webrtc-answer', data: 'from the old line' })
  joiner.socket.terminate()
  await joiner.closeCode()
  back.say({ type: 'webrtc-answer', data: 'from the new one' })

  expect((await creator.take('webrtc-answer')).data).toBe('from the new one')
  expect(await creator.settled()).toEqual([])
  back.socket.terminate()
  expect(await creator.take('peer-left')).toEqual({ type: 'peer-left', px: { away: true } })
})
