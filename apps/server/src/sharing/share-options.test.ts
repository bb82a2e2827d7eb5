import { randomBytes } from 'node:crypto'
import { shareLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { beginRequest, onStoringServer, type StoringServer, until } from '../testing/storing-server.ts'

const recordBytes = 64 * 1024
const aClaim = (): string => randomBytes(16).toString('base64url')
const aLabel = `${'k'.repeat(155)}.${'t'.repeat(123)}`

/** A file with a link, whose owner may say more about it and whom strangers may visit. */
async function aSharedFile(server: StoringServer, options: object = {}, plainBytes = 2 * recordBytes + 5) {
  const owner = await server.aUser()
  const file = await sealFile({ plainBytes })
  const fileId = await server.store(owner, file)
  const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
  const url = `/api/file/${fileId}/share-zk`
  const say = (more: object) => server.call(owner, 'POST', url, { payload: { shareEncryptedFileKey, ...more } })
  const path = (await say(options)).json().shareUrl.replace('/s/', '/api/share/')
  const visit = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.app.inject({ method, url: path, headers })
  const downloads = async () => (await say({})).json().downloads
  return { owner, file, fileId, say, path, visit, downloads }
}

onStoringServer('SHR-01 a share tells its owner how often and when it was last taken', async (server) => {
  const { say, visit, downloads } = await aSharedFile(server)
  const fresh = (await say({})).json()

  server.advance(60_000)
  await visit({ 'x-share-claim': aClaim() })
  await until(async () => (await downloads()) === 1)

  expect(fresh).toMatchObject({ downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null })
  expect((await say({})).json()).toMatchObject({ downloads: 1, lastDownloadAt: server.now() })
})

onStoringServer('SHR-01 label and limit stay until they are changed or taken away', async (server) => {
  const { say } = await aSharedFile(server)

  const answers = [
    await say({ label: aLabel, maxDownloads: 3 }),
    await say({}),
    await say({ maxDownloads: null }),
    await say({ label: null, maxDownloads: 1 }),
  ]

  expect(answers.map((answer) => [answer.json().label, answer.json().maxDownloads])).toEqual([
    [aLabel, 3],
    [aLabel, 3],
    [aLabel, null],
    [null, 1],
  ])
})

onStoringServer('a limit out of range is refused, and so is a label that is not sealed', async (server) => {
  const { say } = await aSharedFile(server)

  for (const maxDownloads of [0, -1, 1.5, shareLimits.mostDownloads + 1, '3']) {
    expect((await say({ maxDownloads })).json().code, String(maxDownloads)).toBe('BAD_REQUEST')
  }
  for (const label of ['', 'For Mara', `${aLabel}.x`, aLabel.replace('k', ' ')]) {
    expect((await say({ label })).json().code, label).toBe('BAD_REQUEST')
  }
  expect((await say({})).json()).toMatchObject({ maxDownloads: null, label: null })
})

onStoringServer(
  'SHR-04 a link is not found any more once it was taken as often as it may be; its owner may allow more',
  async (server) => {
    const { say, visit, downloads, owner, fileId } = await aSharedFile(server, { maxDownloads: 1 })

    const first = await visit({ 'x-share-claim': aClaim() })
    await until(async () => (await downloads()) === 1)
    const refused = [await visit({ 'x-share-claim': aClaim() }), await visit(), await visit({}, 'HEAD')]
    await say({ maxDownloads: 2 })
    const second = await visit({ 'x-share-claim': aClaim() })

    expect(first.statusCode).toBe(200)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect(refused[0]?.json().error).toBe('File not found or expired')
    expect(second.statusCode).toBe(200)
    const told = server.events.filter(({ event }) => event.type === 'file.changed' && 'downloads' in event)
    expect(told[0]).toEqual({ userId: owner, event: { type: 'file.changed', id: fileId, downloads: 1 } })
  },
)

onStoringServer(
  'T113 ranges under one claim count once, and a repetition of the whole file is another download',
  async (server) => {
    const { file, visit, downloads } = await aSharedFile(server, { maxDownloads: 1 })
    const mine = { 'x-share-claim': aClaim() }

    const parts = [
      await visit({ ...mine, range: `bytes=0-${recordBytes - 1}` }),
      await visit({ ...mine, range: `bytes=${recordBytes}-` }),
    ]
    await until(async () => (await downloads()) === 1)
    const again = await visit(mine)
    const lastRecord = await visit({ ...mine, range: `bytes=${2 * recordBytes}-` })

    expect(parts.map(({ statusCode }) => statusCode)).toEqual([206, 206])
    expect(Buffer.concat(parts.map(({ rawPayload }) => rawPayload)).equals(file.sealed)).toBe(true)
    expect([again.statusCode, again.json().code]).toEqual([404, 'SHARE_NOT_FOUND'])
    expect(lastRecord.statusCode).toBe(206)
    expect(await downloads()).toBe(1)
  },
)

onStoringServer(
  'pieces of a limited share are given only to whoever says which download they belong to',
  async (server) => {
    const { file, visit, say, downloads } = await aSharedFile(server, { maxDownloads: 2 })

    const whole = await visit({ range: 'bytes=0-10' })
    await until(async () => (await downloads()) === 1)
    await say({ maxDownloads: null })
    const piece = await visit({ range: 'bytes=0-10' })

    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, file.sealed.length])
    expect([piece.statusCode, piece.rawPayload.length]).toEqual([206, 11])
  },
)

onStoringServer(
  'of several who come at once no more get the file than may; a place is free again soon after its holder has left',
  async (server) => {
    const { path, visit } = await aSharedFile(server, { maxDownloads: 1 }, 48 * 1024 * 1024)
    const claim = aClaim()
    const slow = beginRequest(await server.listen(), { method: 'GET', path, headers: { 'x-share-claim': claim } })
    slow.request.end()
    const answer = await slow.answer

    const meanwhile = await visit({ 'x-share-claim': aClaim() })
    slow.request.destroy()
    const heldUntil = async () =>
      (await server.db.selectFrom('share_claims').select('held_until').executeTakeFirstOrThrow()).held_until
    await until(async () => (await heldUntil()) === server.now() + shareLimits.placeAfterCutMs)
    const soon = await visit({ 'x-share-claim': aClaim() })
    server.advance(shareLimits.placeAfterCutMs)
    const later = await visit({ 'x-share-claim': aClaim() })

    expect(answer.statusCode).toBe(200)
    expect([meanwhile.statusCode, meanwhile.json().code]).toEqual([409, 'SHARE_BUSY'])
    expect(soon.json().code).toBe('SHARE_BUSY')
    expect(later.statusCode).toBe(200)
  },
)

onStoringServer('sharing a file and ending it is told to the open pages of its owner', async (server) => {
  const { owner, fileId } = await aSharedFile(server)

  await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)

  const told = server.events.filter(({ event }) => event.type === 'file.changed').map(({ event }) => event)
  expect(told).toEqual([
    { type: 'file.changed', id: fileId, shared: true },
    { type: 'file.changed', id: fileId, shared: false },
  ])
})
