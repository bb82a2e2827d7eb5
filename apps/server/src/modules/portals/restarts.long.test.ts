import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openPortalPair } from '../../testing/clients/portal-pair.ts'
import { openPortalPeer } from '../../testing/clients/portal-peer.ts'
import { startServerProcess } from '../../testing/servers/server-process.ts'
import { createTestFolder } from '../../testing/test-folder.ts'

const creation = { type: 'create-room', deviceName: 'Laptop', px: { v: 2, n: 'n' } }

/** The rooms that the database holds. */
function savedRooms(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, 'sallyport.db'), { readOnly: true, timeout: 5000 })
  const rows = database.prepare('select room from portal_rooms').all()
  database.close()
  return rows.map(({ room }) => JSON.parse(String(room)).room)
}

test('POR-07 F12 after kill -9 and a restart both devices rejoin their room, and nobody else does', async () => {
  const folder = createTestFolder()
  const killed = await startServerProcess({ DATA_DIR: folder })
  const { created, joined } = await openPortalPair(killed)
  await expect.poll(() => savedRooms(folder)).toMatchObject([{ joiner: { stage: 'paired' } }])
  await killed.kill()
  const server = await startServerProcess({ DATA_DIR: folder })
  const [stranger, creator, joiner] = [
    await openPortalPeer(server),
    await openPortalPeer(server),
    await openPortalPeer(server),
  ]

  stranger.send({ type: 'px-rejoin', peerId: joined.peerId, resume: 'guessed' })
  expect((await stranger.waitFor('room-error')).error).toBe('Failed to join room')
  creator.send({ type: 'px-rejoin', peerId: created.peerId, resume: created.px?.resume })
  expect((await creator.waitFor('px-rejoined')).isOtherHere).toBe(false)
  joiner.send({ type: 'px-rejoin', peerId: joined.peerId, resume: joined.px?.resume })
  expect((await joiner.waitFor('px-rejoined')).isOtherHere).toBe(true)
  await creator.waitFor('px-back')
  joiner.send({ type: 'webrtc-offer', data: 'a new connection' })
  expect((await creator.waitFor('webrtc-offer')).data).toBe('a new connection')

  creator.send({ type: 'px-leave' })
  await joiner.waitFor('peer-left')
  await expect.poll(() => savedRooms(folder)).toEqual([])
})

test('POR-03 after a restart a code that nobody has entered is still valid, and its creator waits again', async () => {
  const folder = createTestFolder()
  const killed = await startServerProcess({ DATA_DIR: folder })
  const before = await openPortalPeer(killed)
  before.send(creation)
  const { roomCode, peerId, px } = await before.waitFor('room-created')
  await expect.poll(() => savedRooms(folder)).toHaveLength(1)
  await killed.kill()
  const server = await startServerProcess({ DATA_DIR: folder })
  const [creator, joiner] = [await openPortalPeer(server), await openPortalPeer(server)]

  creator.send({ type: 'px-rejoin', peerId, resume: px?.resume })
  await creator.waitFor('px-rejoined')
  joiner.send({ type: 'join-room', roomCode, deviceName: 'Phone', px: { v: 2, mode: 'pin', y: 'Ya', ad: 'a' } })

  expect((await creator.waitFor('peer-joined')).deviceName).toBe('Phone')
})
