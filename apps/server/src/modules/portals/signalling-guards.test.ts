import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openPortalPeer, portalTicket } from '../../testing/clients/portal-peer.ts'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

/** The status of an attempt to open a socket. */
const statusOf = (server: WholeServer, path: string, origin?: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const url = `${server.url.replace('http', 'ws')}/api/${path}`
    const socket = new WebSocket(url, origin === undefined ? {} : { origin })
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    socket.on('open', () => resolve(101))
    socket.on('error', () => undefined)
  })

async function liveTicket(server: WholeServer, accessToken: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/live/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ purpose: 'live' }),
  })
  return ((await answer.json()) as { ticket: string }).ticket
}

test('T191 T192 sockets from foreign pages and sockets without a valid ticket of their kind are rejected', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()
  const ofLive = await liveTicket(server, accessToken)
  const used = await portalTicket(server)
  await openPortalPeer(server, used)
  const signal = (session: string) => `webrtc-signal?session=${session}`

  expect(await statusOf(server, signal(await portalTicket(server)), 'https://evil.example')).toBe(403)
  expect(await statusOf(server, signal(await portalTicket(server)))).toBe(403)
  expect(await statusOf(server, signal(await portalTicket(server)), 'null')).toBe(403)
  for (const session of ['', 'guessed', used, ofLive, accessToken]) {
    expect(await statusOf(server, signal(session), server.url), session).toBe(401)
  }
  expect(await statusOf(server, 'portal-relay?token=guessed', server.url)).toBe(401)
  expect(await statusOf(server, 'portal-relay?token=guessed', 'https://evil.example')).toBe(403)
  await server.stop()
})

test('T193 the socket of a signed-in user closes when the auth session ends', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()
  const peer = await openPortalPeer(server, await portalTicket(server, accessToken))
  const visitor = await openPortalPeer(server)

  await fetch(`${server.url}/auth/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${accessToken}` } })

  expect(await peer.closeCode()).toBe(4001)
  expect(await visitor.drain()).toEqual([])
  await server.stop()
})

test('T194 T195 T196 malformed, oversized and too frequent messages affect neither the server nor other sockets', async () => {
  const server = await startWholeServer()
  const neighbour = await openPortalPeer(server)
  const malformed = await openPortalPeer(server)
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  for (const text of ['{', 'null', '7', '"x"', deep, '{"type":1e400}', '{"type":"create-room"}', '{"__proto__":{}}']) {
    malformed.socket.send(text)
    expect((await malformed.waitFor('room-error')).error).toBe('Unknown error')
  }
  malformed.socket.send(Buffer.from([0, 1, 2]))
  await malformed.waitFor('room-error')
  malformed.socket.send('x'.repeat(65 * 1024))
  expect(await malformed.closeCode()).toBe(1009)

  const flood = await openPortalPeer(server)
  for (let sent = 0; sent < 100; sent += 1) flood.send({ type: 'px-leave' })
  expect(await flood.closeCode()).toBe(1008)

  neighbour.send({ type: 'create-room', deviceName: 'Neighbour' })
  expect((await neighbour.waitFor('room-created')).roomCode).toMatch(/^\d{6}$/)
  expect(server.logged.filter((line) => !line.includes('Max payload size exceeded'))).toEqual([])
  await server.stop()
})

test('T197 an address of the internet holds at most 50 sockets, and closing one allows another', async () => {
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' })
  const open = async () => openPortalPeer(server, await portalTicket(server), { 'x-forwarded-for': '198.51.100.7' })
  const peers = await Promise.all(Array.from({ length: 50 }, open))
  const tryOpen = () =>
    open().then(
      () => 'in',
      (error: Error) => error.message,
    )

  expect(await tryOpen()).toBe('429')
  peers[0]?.socket.close()
  await peers[0]?.closeCode()
  await expect.poll(tryOpen).toBe('in')
  await server.stop()
})
