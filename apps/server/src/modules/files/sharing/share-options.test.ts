import { randomBytes } from 'node:crypto'
import { shareLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { beginRequest, type FileServer, onFileServer, waitUntil } from '../../../testing/servers/file-server.ts'

const recordBytes = 64 * 1024
const createClaim = (): string => randomBytes(16).toString('base64url')
const sealedLabel = `${'k'.repeat(155)}.${'t'.repeat(123)}`

/** Creates a shared file; `updateShare` calls as its owner, `visit` as a stranger. */
async function createSharedFile(server: FileServer, options: object = {}, plainBytes = 2 * recordBytes + 5) {
  const owner = await server.createUser()
  const file = await sealFile({ plainBytes })
  const fileId = await server.store(owner, file)
  const shareEncryptedFileKey = await file.wrap('share', new Uint8Array(randomBytes(32)))
  const url = `/api/file/${fileId}/share-zk`
  const updateShare = (more: object) => server.call(owner, 'POST', url, { payload: { shareEncryptedFileKey, ...more } })
  const path = (await updateShare(options)).json().shareUrl.replace('/s/', '/api/share/')
  const visit = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.app.inject({ method, url: path, headers })
  const downloads = async () => (await updateShare({})).json().downloads
  return { owner, file, fileId, updateShare, path, visit, downloads }
}

onFileServer('SHR-01 a share shows its owner the number and the time of downloads', async (server) => {
  const { updateShare, visit, downloads } = await createSharedFile(server)
  const initial = (await updateShare({})).json()

  server.advance(60_000)
  await visit({ 'x-share-claim': createClaim() })
  await waitUntil(async () => (await downloads()) === 1)

  expect(initial).toMatchObject({ downloads: 0, lastDownloadAt: null, maxDownloads: null, label: null })
  expect((await updateShare({})).json()).toMatchObject({ downloads: 1, lastDownloadAt: server.now() })
})

onFileServer('SHR-01 label and limit stay until they are changed or removed', async (server) => {
  const { updateShare } = await createSharedFile(server)

  const answers = [
    await updateShare({ label: sealedLabel, maxDownloads: 3 }),
    await updateShare({}),
    await updateShare({ maxDownloads: null }),
    await updateShare({ label: null, maxDownloads: 1 }),
  ]

  expect(answers.map((answer) => [answer.json().label, answer.json().maxDownloads])).toEqual([
    [sealedLabel, 3],
    [sealedLabel, 3],
    [sealedLabel, null],
    [null, 1],
  ])
})

onFileServer('a limit out of range gets 400, and so does a label that is not sealed', async (server) => {
  const { updateShare } = await createSharedFile(server)

  for (const maxDownloads of [0, -1, 1.5, shareLimits.maxDownloads + 1, '3']) {
    expect((await updateShare({ maxDownloads })).json().code, String(maxDownloads)).toBe('BAD_REQUEST')
  }
  for (const label of ['', 'For Mara', `${sealedLabel}.x`, sealedLabel.replace('k', ' ')]) {
    expect((await updateShare({ label })).json().code, label).toBe('BAD_REQUEST')
  }
  expect((await updateShare({})).json()).toMatchObject({ maxDownloads: null, label: null })
})

onFileServer('SHR-04 a link gets 404 once its downloads are used up; its owner can raise the limit', async (server) => {
  const { updateShare, visit, downloads, owner, fileId } = await createSharedFile(server, { maxDownloads: 1 })

  const first = await visit({ 'x-share-claim': createClaim() })
  await waitUntil(async () => (await downloads()) === 1)
  const refused = [await visit({ 'x-share-claim': createClaim() }), await visit(), await visit({}, 'HEAD')]
  await updateShare({ maxDownloads: 2 })
  const second = await visit({ 'x-share-claim': createClaim() })

  expect(first.statusCode).toBe(200)
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  expect(refused[0]?.json().error).toBe('File not found or expired')
  expect(second.statusCode).toBe(200)
  const published = server.events.filter(({ event }) => event.type === 'file.changed' && 'downloads' in event)
  expect(published[0]).toEqual({ userId: owner, event: { type: 'file.changed', id: fileId, downloads: 1 } })
})

onFileServer(
  'T113 ranges of one claim count once, and a repetition of the whole file is another download',
  async (server) => {
    const { file, visit, downloads } = await createSharedFile(server, { maxDownloads: 1 })
    const ownClaim = { 'x-share-claim': createClaim() }

    const parts = [
      await visit({ ...ownClaim, range: `bytes=0-${recordBytes - 1}` }),
      await visit({ ...ownClaim, range: `bytes=${recordBytes}-` }),
    ]
    await waitUntil(async () => (await downloads()) === 1)
    const repeated = await visit(ownClaim)
    const lastRecord = await visit({ ...ownClaim, range: `bytes=${2 * recordBytes}-` })

    expect(parts.map(({ statusCode }) => statusCode)).toEqual([206, 206])
    expect(Buffer.concat(parts.map(({ rawPayload }) => rawPayload)).equals(file.sealed)).toBe(true)
    expect([repeated.statusCode, repeated.json().code]).toEqual([404, 'SHARE_NOT_FOUND'])
    expect(lastRecord.statusCode).toBe(206)
    expect(await downloads()).toBe(1)
  },
)

onFileServer('ranges of a limited share require a claim', async (server) => {
  const { file, visit, updateShare, downloads } = await createSharedFile(server, { maxDownloads: 2 })

  const whole = await visit({ range: 'bytes=0-10' })
  await waitUntil(async () => (await downloads()) === 1)
  await updateShare({ maxDownloads: null })
  const piece = await visit({ range: 'bytes=0-10' })

  expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, file.sealed.length])
  expect([piece.statusCode, piece.rawPayload.length]).toEqual([206, 11])
})

onFileServer(
  'concurrent downloads are limited to the maximum; a slot is free soon after its holder disconnects',
  async (server) => {
    const { path, visit } = await createSharedFile(server, { maxDownloads: 1 }, 48 * 1024 * 1024)
    const claim = createClaim()
    const slow = beginRequest(await server.listen(), { method: 'GET', path, headers: { 'x-share-claim': claim } })
    slow.request.end()
    const answer = await slow.answer

    const meanwhile = await visit({ 'x-share-claim': createClaim() })
    slow.request.destroy()
    const heldUntil = async () =>
      (await server.db.selectFrom('share_claims').select('held_until').executeTakeFirstOrThrow()).held_until
    await waitUntil(async () => (await heldUntil()) === server.now() + shareLimits.leaseAfterDisconnectMs)
    const soon = await visit({ 'x-share-claim': createClaim() })
    server.advance(shareLimits.leaseAfterDisconnectMs)
    const later = await visit({ 'x-share-claim': createClaim() })

    expect(answer.statusCode).toBe(200)
    expect([meanwhile.statusCode, meanwhile.json().code]).toEqual([409, 'SHARE_BUSY'])
    expect(soon.json().code).toBe('SHARE_BUSY')
    expect(later.statusCode).toBe(200)
  },
)

onFileServer('sharing a file and revoking it notifies the open pages of its owner', async (server) => {
  const { owner, fileId } = await createSharedFile(server)

  await server.call(owner, 'DELETE', `/api/file/${fileId}/share`)

  const published = server.events.filter(({ event }) => event.type === 'file.changed').map(({ event }) => event)
  expect(published).toEqual([
    { type: 'file.changed', id: fileId, shared: true },
    { type: 'file.changed', id: fileId, shared: false },
  ])
})
