import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openPortalPeer } from '../testing/portal-peer.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

/** Two devices in a room that was proved. */
async function aPair(server: WholeServer) {
  const [creator, joiner] = [await openPortalPeer(server), await openPortalPeer(server)]
  creator.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  const { roomCode } = await creator.take('room-created')
  joiner.say({ type: 'join-room', roomCode, deviceName: 'Phone', px: { v: 2, mode: 'pin', y: 'Ya', ad: 'a' } })
  await creator.take('peer-joined')
  joiner.say({ type: 'px-confirm', tag: 'tag a' })
  await creator.take('px-confirm')
  return { creator, joiner }
}

async function tokensOf({ creator, joiner }: Awaited<ReturnType<typeof aPair>>): Promise<[string, string]> {
  creator.say({ type: 'px-relay' })
  return [(await creator.take('px-relay-ready')).token, (await joiner.take('px-relay-ready')).token]
}

function enter(server: WholeServer, token: string) {
  const url = `${server.url.replace('http', 'ws')}/api/portal-relay?token=${token}`
  const socket = new WebSocket(url, { origin: server.url })
  onTestFinished(() => socket.terminate())
  const frames: (Buffer | string)[] = []
  socket.on('message', (data, isBinary) => frames.push(isBinary ? (data as Buffer) : String(data)))
  socket.on('error', () => undefined)
  const opened = new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return { socket, frames, opened, closed }
}

test('the relay hands frames from one device of a pair to the other as they are, even those that came first', async () => {
  const server = await startWholeServer()
  const [first, second] = await tokensOf(await aPair(server))
  const creator = enter(server, first)
  await creator.opened
  const sent = [randomBytes(60_000), 'text', randomBytes(1)]
  for (const frame of sent) creator.socket.send(frame)

  const joiner = enter(server, second)
  await expect.poll(() => joiner.frames).toEqual(sent)
  joiner.socket.send('back')
  await expect.poll(() => creator.frames).toEqual(['back'])

  expect(await enter(server, first).opened).toBe(401)
  joiner.socket.close()
  expect(await creator.closed).toBe(1000)
  await server.stop()
})

test('a frame over the limit, bytes over the share of a room, and a relay that is off', async () => {
  const server = await startWholeServer({ RELAY_GB_PER_ROOM: '0.0001' })
  const [first, second] = await tokensOf(await aPair(server))
  const [creator, joiner] = [enter(server, first), enter(server, second)]
  await Promise.all([creator.opened, joiner.opened])
  for (let frame = 0; frame < 3; frame += 1) creator.socket.send(randomBytes(60_000))
  expect(await creator.closed).toBe(1008)
  expect(await joiner.closed).toBe(1008)
  expect(joiner.frames.length).toBeLessThanOrEqual(1)

  const large = await tokensOf(await aPair(server))
  const [sender] = [enter(server, large[0]), enter(server, large[1])]
  await sender.opened
  sender.socket.send(randomBytes(140_000))
  expect(await sender.closed).toBe(1009)
  await server.stop()

  const without = await startWholeServer({ RELAY: 'off' })
  const { creator: asking } = await aPair(without)
  asking.say({ type: 'px-relay' })
  expect((await asking.take('room-error')).error).toBe('Unknown error')
  expect(await enter(without, 'guessed').opened).toBe(404)
  const settings = await fetch(`${without.url}/api/portals/settings`).then((answer) => answer.json())
  expect(settings).toEqual({ success: true, iceServers: [], relay: false, classic: true })
  await without.stop()
})

test('servers for addresses are told to everybody, credentials for those that carry bytes only to a pair', async () => {
  const server = await startWholeServer({
    STUN_URLS: 'stun:stun.example:3478',
    TURN_URLS: 'turn:turn.example:3478',
    TURN_SECRET: 'shared with the turn server',
  })
  const settings = await fetch(`${server.url}/api/portals/settings`)
  const alone = await openPortalPeer(server)
  alone.say({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  await alone.take('room-created')
  alone.say({ type: 'px-ice' })

  expect(await settings.json()).toMatchObject({ iceServers: [{ urls: ['stun:stun.example:3478'] }] })
  expect(await alone.settled()).toEqual([])
  const { creator } = await aPair(server)
  creator.say({ type: 'px-ice' })
  const { iceServers } = await creator.take('px-ice')
  expect(iceServers[1]).toEqual({
    urls: ['turn:turn.example:3478'],
    username: expect.stringMatching(/^\d{10}:\d+-creator$/),
    credential: expect.stringMatching(/^[\w+/]{27}=$/),
  })
  await server.stop()
})
