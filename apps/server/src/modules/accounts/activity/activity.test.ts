import { randomBytes, randomUUID } from 'node:crypto'
import { type ActivityEntry, activityLimits } from '@sallyport/contract/activity'
import { expect, test } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startAccountServer } from '../../../testing/servers/account-server.ts'
import { onFileServer, onFileServerWithBothDatabases } from '../../../testing/servers/file-server.ts'
import { startWholeServer, type WholeServer } from '../../../testing/servers/whole-server.ts'

test('ADM-03 sign-ins, uploads, downloads, shares and deletions of an account are listed for it alone', async () => {
  const server = await startWholeServer()
  const owner = await server.createMember()
  const stranger = await server.createMember()
  const files = await Promise.all([1000, 200, 30].map((plainBytes) => sealFile({ plainBytes })))
  const [file = await sealFile({ plainBytes: 1 })] = files
  const ids: string[] = []
  for (const one of files) ids.push(await server.store(owner.accessToken, one))
  const [fileId = ''] = ids

  await request(server, `/api/download/${fileId}`, { token: owner.accessToken })
  await request(server, '/api/download-all', { token: owner.accessToken })
  const body = { shareEncryptedFileKey: await file.wrap('share', new Uint8Array(randomBytes(32))) }
  const share = { method: 'POST', token: owner.accessToken, body }
  const shared = await request(server, `/api/file/${fileId}/share-zk`, share)
  const { shareUrl } = JSON.parse(shared.text)
  await request(server, `/api/file/${fileId}/share-zk`, share)
  await request(server, shareUrl.replace('/s/', '/api/share/'), {})
  await request(server, shareUrl.replace('/s/', '/api/share/'), { token: stranger.accessToken })
  // A download with a link is counted after its last byte, and only while the file exists.
  const linkDownloads = { files: 2, bytes: 2000 }
  const listDetails = () => list(server, owner.accessToken).then(toDetails)
  await expect.poll(listDetails).toMatchObject({ 'share-download': linkDownloads })
  await request(server, `/api/file/${fileId}`, { method: 'DELETE', token: owner.accessToken })
  await request(server, '/api/files', { method: 'DELETE', token: owner.accessToken })
  await request(server, '/api/files', { method: 'DELETE', token: owner.accessToken })

  const expected = {
    'sign-in': {},
    upload: { files: 3, bytes: 1230 },
    download: { files: 4, bytes: 2230 },
    share: { files: 1 },
    'share-download': linkDownloads,
    delete: { files: 3, bytes: 1230 },
  }
  await expect.poll(listDetails).toEqual(expected)
  const entries = await list(server, owner.accessToken)
  const times = entries.map(({ timestamp }) => timestamp)
  expect(times).toEqual([...times].sort((one, other) => other - one))
  expect(await list(server, stranger.accessToken)).toEqual([
    { action: 'sign-in', timestamp: expect.any(Number), details: {} },
  ])
  expect((await request(server, '/api/account/activity', {})).status).toBe(401)
  await server.stop()
})

onBothDatabases('ADM-03 a page of activity has the newest 50 entries, and they end with the account', async (stage) => {
  const server = await startAccountServer(stage)
  const { userId, bearer } = await server.createMember()
  await server.createMember()
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: randomUUID(),
    user_id: userId,
    at: stage.now() - index - 1,
    action: 'upload',
    files: index,
    bytes: 1,
  }))
  await stage.db.insertInto('account_activity').values(rows).execute()

  const { activity } = (await server.get('/api/account/activity', bearer)).json()
  await server.remove('/api/account', bearer)

  const numbers = activity.map(({ details }: ActivityEntry) => details.files)
  expect(numbers).toEqual([undefined, ...Array(activityLimits.perPage - 1).keys()])
  const left = await stage.db.selectFrom('account_activity').select('user_id').execute()
  expect(left.filter((row) => row.user_id === userId)).toEqual([])
})

onFileServerWithBothDatabases('ADM-03 no row of activity has a name or an id of what it was about', async (server) => {
  const owner = await server.createUser()
  const file = await sealFile({ plainBytes: 1000 })
  const fileId = await server.store(owner, file)
  const shareKey = new Uint8Array(randomBytes(32))
  const { shareUrl } = (await server.share(owner, fileId, { file, shareKey })).json()
  const token = shareUrl.replace('/s/', '')
  await server.app.inject({ url: `/api/share/${token}`, headers: { 'user-agent': 'A telephone' } })
  await server.call(owner, 'GET', `/api/download/${fileId}`)
  const shareIds = await server.db.selectFrom('shares').select(['id', 'token_hash', 'key_id']).execute()
  await server.call(owner, 'DELETE', `/api/file/${fileId}`)
  await expect.poll(async () => (await server.activityOf(owner)).length).toBe(5)

  const rows = await server.db.selectFrom('account_activity').selectAll().execute()

  expect(new Set(rows.flatMap(Object.keys))).toEqual(new Set(['id', 'user_id', 'at', 'action', 'files', 'bytes']))
  expect(new Set(rows.map((row) => row.user_id))).toEqual(new Set([owner]))
  const text = JSON.stringify(rows)
  const secrets = [fileId, file.name, file.envelope, token, 'telephone', '127.0.0.1']
  for (const secret of [...secrets, ...shareIds.flatMap(Object.values)]) expect(text).not.toContain(secret)
})

onFileServer('ADM-03 1,000 deletions in a burst are one entry', async (server) => {
  const owner = await server.createUser()
  await server.store(owner, await sealFile({ plainBytes: 10 }))
  const row = await server.db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
  const others = Array.from({ length: 999 }, () => ({ ...row, id: randomUUID() }))
  await server.db.insertInto('files').values(others).execute()
  server.advance(1)

  for (const { id } of [row, ...others]) await server.call(owner, 'DELETE', `/api/file/${id}`)

  expect(await server.activityOf(owner)).toEqual([
    { action: 'delete', timestamp: server.now(), details: { files: 1000, bytes: 10_000 } },
    { action: 'upload', timestamp: server.now() - 1, details: { files: 1, bytes: 10 } },
  ])
})

onFileServer(
  'an upload that is completed twice and a failed deletion are recorded once and not at all',
  async (server) => {
    const owner = await server.createUser()
    const file = await sealFile({ plainBytes: 10 })
    const uploadId = randomBytes(16).toString('base64url')
    await server.sendChunk(owner, { file, uploadId, index: 0 })
    await server.complete(owner, { file, uploadId })
    await server.complete(owner, { file, uploadId })
    const missing = await server.call(owner, 'DELETE', `/api/file/${randomUUID()}`)

    expect(missing.statusCode).toBe(404)
    expect(await server.activityOf(owner)).toEqual([
      { action: 'upload', timestamp: server.now(), details: { files: 1, bytes: 10 } },
    ])
  },
)

onFileServer('an expired file is not recorded as deleted', async (server) => {
  const owner = await server.createUser()
  await server.store(owner, await sealFile({ plainBytes: 10 }), { 'x-file-expiration-minutes': '5' })
  server.advance(5 * 60_000 + 1)

  await server.sweep()

  expect((await server.call(owner, 'GET', '/api/files')).json().files).toEqual([])
  expect((await server.activityOf(owner)).map(({ action }) => action)).toEqual(['upload'])
})

interface SentRequest {
  readonly method?: string
  readonly token?: string
  readonly body?: object
}

async function request({ url }: WholeServer, path: string, { method = 'GET', token, body }: SentRequest) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

async function list(server: WholeServer, token: string): Promise<ActivityEntry[]> {
  return JSON.parse((await request(server, '/api/account/activity', { token })).text).activity
}

const toDetails = (entries: readonly ActivityEntry[]): object =>
  Object.fromEntries(entries.map(({ action, details }) => [action, details]))
