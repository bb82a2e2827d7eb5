import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openRelaySocket as enter, openPortalPair, requestRelayTokens } from '../../testing/clients/portal-pair.ts'
import { openPortalPeer } from '../../testing/clients/portal-peer.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

test('the relay forwards frames between the devices of a pair unchanged, including those sent before the peer connected', async () => {
  const server = await startWholeServer()
  const [first, second] = await requestRelayTokens(await openPortalPair(server))
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

test('a frame over the limit closes with 1009, bytes over the quota with 1008, and a disabled relay answers 404', async () => {
  const server = await startWholeServer({ RELAY_GB_PER_ROOM: '0.0001' })
  const [first, second] = await requestRelayTokens(await openPortalPair(server))
  const [creator, joiner] = [enter(server, first), enter(server, second)]
  await Promise.all([creator.opened, joiner.opened])
  for (let frame = 0; frame < 3; frame += 1) creator.socket.send(randomBytes(60_000))
  expect(await creator.closed).toBe(1008)
  expect(await joiner.closed).toBe(1008)
  expect(joiner.frames.length).toBeLessThanOrEqual(1)

  const large = await requestRelayTokens(await openPortalPair(server))
  const [sender] = [enter(server, large[0]), enter(server, large[1])]
  await sender.opened
  sender.socket.send(randomBytes(140_000))
  expect(await sender.closed).toBe(1009)
  await server.stop()

  const without = await startWholeServer({ RELAY: 'off' })
  const { creator: client } = await openPortalPair(without)
  client.send({ type: 'px-relay' })
  expect((await client.waitFor('room-error')).error).toBe('Unknown error')
  expect(await enter(without, 'guessed').opened).toBe(404)
  const settings = await fetch(`${without.url}/api/portals/settings`).then((answer) => answer.json())
  expect(settings).toEqual({ success: true, iceServers: [], relay: false, classic: true })
  await without.stop()
})

test('STUN servers are public, and TURN credentials go only to a pair', async () => {
  const server = await startWholeServer({
    STUN_URLS: 'stun:stun.example:3478',
    TURN_URLS: 'turn:turn.example:3478',
    TURN_SECRET: 'shared with the turn server',
  })
  const settings = await fetch(`${server.url}/api/portals/settings`)
  const unpaired = await openPortalPeer(server)
  unpaired.send({ type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } })
  await unpaired.waitFor('room-created')
  unpaired.send({ type: 'px-ice' })

  expect(await settings.json()).toMatchObject({ iceServers: [{ urls: ['stun:stun.example:3478'] }] })
  expect(await unpaired.drain()).toEqual([])
  const { creator } = await openPortalPair(server)
  creator.send({ type: 'px-ice' })
  const { iceServers } = await creator.waitFor('px-ice')
  expect(iceServers[1]).toEqual({
    urls: ['turn:turn.example:3478'],
    username: expect.stringMatching(/^\d{10}:\d+-creator$/),
    credential: expect.stringMatching(/^[\w+/]{27}=$/),
  })
  await server.stop()
})
