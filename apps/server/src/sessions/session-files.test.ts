import { existsSync, readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { onSessionServer, sealSessionFile } from '../testing/session-server.ts'
import { anUploadId } from '../testing/storing-server.ts'

const minute = 60_000

onSessionServer(
  'SES-07 SES-08 a file that one participant sends is listed for and fetched by the others',
  async (server) => {
    const { aSession, aGuest, storeFile, get, now } = server
    const { id, pin, token } = await aSession({ default_file_expiration_minutes: 5 })
    const guest = await aGuest(pin)
    await aGuest(pin, '203.0.113.10')
    const file = await sealSessionFile(150_000)

    const fileId = await storeFile(id, { token: guest.token }, file)

    const listed = (await get(`/api/sessions/${id}/files`, { token })).json().files
    const byPin = `/api/sessions/files/${fileId}/download?session_pin=${pin}`
    const fetched = await get(byPin, { address: '203.0.113.10' })
    const part = await server.app.inject({
      url: `/api/sessions/files/${fileId}/download`,
      headers: { 'x-participant-token': token, range: 'bytes=5-14' },
    })
    expect(listed).toEqual([
      {
        id: fileId,
        filename: file.name,
        original_name: file.name,
        size_bytes: 150_000,
        expires_at: now() + 5 * minute,
        created_at: now(),
        session_id: id,
        encrypted_file_key: file.envelope,
      },
    ])
    expect(fetched.rawPayload.equals(file.sealed)).toBe(true)
    expect(fetched.headers).toMatchObject({
      'x-encryption-key': file.envelope,
      'x-chunk-size': '65536',
      'content-length': String(file.sealed.length),
    })
    expect([part.statusCode, part.rawPayload.equals(file.sealed.subarray(5, 15))]).toEqual([206, true])
  },
)

onSessionServer(
  'SES-13 a file of a session stays for as long as the session says, or as it asks, to the second',
  async (server) => {
    const { aSession, storeFile, get, advance, sweep, folder } = server
    const bare = await aSession({ key_mode: 'pin' })
    const { id, token } = bare
    expect(bare.session.default_file_expiration_minutes).toBe(60)
    const long = await storeFile(id, { token }, await sealSessionFile(10))
    const short = await storeFile(id, { token }, await sealSessionFile(10), { 'x-file-expiration-minutes': '1' })
    const idsOf = async () =>
      (await get(`/api/sessions/${id}/files`, { token })).json().files.map((one: { id: string }) => one.id)

    advance(minute - 1)
    const before = await idsOf()
    advance(1)
    const after = await idsOf()
    const gone = await get(`/api/sessions/files/${short}/download`, { token })
    await sweep()

    expect([before.toSorted(), after]).toEqual([[long, short].toSorted(), [long]])
    expect([gone.statusCode, gone.json().code]).toEqual([404, 'FILE_NOT_FOUND'])
    expect(bytesOf(folder, short)).toBe(false)
    expect(bytesOf(folder, long)).toBe(true)
  },
)

onSessionServer('SES-08 any participant deletes a file, and its bytes go with it', async (server) => {
  const { aSession, aGuest, storeFile, remove, get, folder, db } = server
  const { id, pin, token, userId } = await aSession()
  const guest = await aGuest(pin)
  const fileId = await storeFile(id, { token }, await sealSessionFile(1000))

  const removed = await remove(`/api/sessions/files/${fileId}`, { token: guest.token })

  expect(removed.statusCode).toBe(200)
  expect((await get(`/api/sessions/${id}/files`, { token })).json().files).toEqual([])
  expect(bytesOf(folder, fileId)).toBe(false)
  const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
})

onSessionServer('T097 T099 T100 a file of a session is there for those in it, and for nobody else', async (server) => {
  const { aSession, aUser, storeFile, get, remove, call } = server
  const [one, other] = [await aSession(), await aSession()]
  const fileId = await storeFile(one.id, { token: one.token }, await sealSessionFile(10))
  const address = `/api/sessions/files/${fileId}`
  const tries = [
    {},
    { pin: other.pin },
    { token: other.token },
    { bearer: await aUser() },
    { pin: '999999', address: '198.51.100.20' },
  ]

  for (const show of tries) {
    for (const answer of [
      await get(address, show),
      await get(`${address}/download`, show),
      await remove(address, show),
    ]) {
      expect(answer.statusCode, JSON.stringify(show)).toBe(404)
    }
  }
  const missing = await get('/api/sessions/files/01a1fd00-0000-7000-8000-000000000000', { token: one.token })
  const ofAccount = [
    await call('GET', `/api/file/${fileId}/key`, one.bearer),
    await call('GET', `/api/download/${fileId}`, one.bearer),
    await call('DELETE', `/api/file/${fileId}`, one.bearer),
  ]
  expect(missing.body).toBe((await get(address, { token: other.token })).body)
  expect(
    ofAccount.map(({ statusCode }) => statusCode),
    'not among the files of the creator',
  ).toEqual([404, 404, 404])
  expect((await call('GET', '/api/files', one.bearer)).json().files).toEqual([])
  expect((await get(address, { token: one.token })).json()).toMatchObject({
    file: { id: fileId },
    session: { id: one.id },
  })
})

onSessionServer(
  'SHR-06 the link of a file of a session leads a participant who shows its PIN to the file and what opens it',
  async (server) => {
    const { aSession, aGuest, storeFile, get } = server
    const { id, pin, token, session } = await aSession()
    const guest = await aGuest(pin)
    const file = await sealSessionFile(10)
    const fileId = await storeFile(id, { token }, file)

    const found = await get(`/api/sessions/files/${fileId}`, { pin })

    expect(found.json()).toMatchObject({
      file: { id: fileId, original_name: file.name, encrypted_file_key: file.envelope },
      session: { id, key_mode: 'pin2', key_share: session.key_share, participant_id: guest.id },
    })
  },
)

onSessionServer(
  'FIL-20 files of a session take the storage of its creator, and no more than that',
  async (server) => {
    const { aSession, aGuest, sendChunk, call } = server
    const { id, pin, token, bearer } = await aSession()
    const guest = await aGuest(pin)
    const file = await sealSessionFile(60_000)
    const uploadId = anUploadId()
    const first = await sendChunk(id, { token: guest.token }, { file, uploadId, index: 0 })
    const second = await sealSessionFile(60_000)

    const refused = await sendChunk(id, { token }, { file: second, uploadId: anUploadId(), index: 0 })
    const cancelled = await call('DELETE', `/api/sessions/${id}/uploads/${uploadId}`, { token })
    const again = await sendChunk(id, { token }, { file: second, uploadId: anUploadId(), index: 0 })

    expect([first.statusCode, refused.statusCode, refused.json().code]).toEqual([200, 413, 'STORAGE_LIMIT'])
    expect([cancelled.statusCode, again.statusCode]).toEqual([200, 200])
    expect((await call('GET', '/api/uploads', bearer)).json().uploads, 'not among the uploads of the creator').toEqual(
      [],
    )
  },
  { storageBytes: 100_000 },
)

onSessionServer(
  'FIL-20 an upload of a guest holds the storage of the creator for fifteen minutes after its last byte',
  async (server) => {
    const { aSession, aGuest, sendChunk, post, advance, sweep, db } = server
    const { id, pin, token, userId } = await aSession()
    const guest = await aGuest(pin)
    const file = await sealSessionFile(100_000)
    const uploadId = anUploadId()
    await sendChunk(id, { token: guest.token }, { file, uploadId, index: 0 })
    const reserved = async () =>
      (await db.selectFrom('storage_use').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow())
        .reserved_bytes
    advance(14 * minute)
    await post(`/api/sessions/${id}/heartbeat`, {}, { token })
    await sweep()
    const early = await reserved()
    advance(minute)
    await sweep()

    expect([early, await reserved()]).toEqual([100_000, 0])
    const next = await sendChunk(id, { token: guest.token }, { file, uploadId, index: 0 })
    expect(next.statusCode, 'it may begin again').toBe(200)
  },
)

onSessionServer(
  'T140 SES-09 a session that ends under an upload tells so, and nothing of the upload stays',
  async (server) => {
    const { aSession, aGuest, sendChunk, completeUpload, post, folder, db } = server
    const { id, pin, token, userId } = await aSession()
    const guest = await aGuest(pin)
    const file = await sealSessionFile(100_000)
    const uploadId = anUploadId()
    await sendChunk(id, { token: guest.token }, { file, uploadId, index: 0 })
    const beforeEnd = await db.selectFrom('uploads').selectAll().execute()

    await post(`/api/sessions/${id}/leave`, {}, { token })
    const next = await sendChunk(id, { token: guest.token }, { file, uploadId, index: 1 })
    const byPin = await sendChunk(id, { pin }, { file, uploadId, index: 1 })
    const complete = await completeUpload(id, { token: guest.token }, { file, uploadId })

    expect(beforeEnd).toHaveLength(1)
    for (const answer of [next, byPin, complete]) {
      expect([answer.statusCode, answer.json().error]).toEqual([404, 'Session not found'])
    }
    expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([])
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
    expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
    expect(
      readdirSync(`${folder}/bytes`, { recursive: true }).filter((path) =>
        String(path).includes(beforeEnd[0]?.id ?? '?'),
      ),
    ).toEqual([])
  },
)

onSessionServer('SES-09 the end of a session takes its files and their bytes along', async (server) => {
  const { aSession, storeFile, post, folder, db } = server
  const { id, token } = await aSession()
  const fileId = await storeFile(id, { token }, await sealSessionFile(5000))
  const before = bytesOf(folder, fileId)

  await post(`/api/sessions/${id}/leave`, {}, { token })

  expect([before, bytesOf(folder, fileId)]).toEqual([true, false])
  expect(await db.selectFrom('files').selectAll().execute()).toEqual([])
})

onSessionServer('an interrupted upload goes on where it was, for whoever is in the session', async (server) => {
  const { aSession, sendChunk, completeUpload, get, call } = server
  const { id, token } = await aSession()
  const file = await sealSessionFile(200_000)
  const uploadId = anUploadId()
  await sendChunk(id, { token }, { file, uploadId, index: 0 })
  await sendChunk(id, { token }, { file, uploadId, index: 2 })

  const open = (await get(`/api/sessions/${id}/uploads/${uploadId}`, { token })).json()
  const early = await completeUpload(id, { token }, { file, uploadId })
  for (const index of [1, 3]) await sendChunk(id, { token }, { file, uploadId, index })
  const done = await completeUpload(id, { token }, { file, uploadId })
  const twice = await completeUpload(id, { token }, { file, uploadId })

  expect(open).toMatchObject({
    uploadId,
    received: [
      [0, 0],
      [2, 2],
    ],
    totalChunks: 4,
  })
  expect([early.statusCode, early.json().code]).toEqual([400, 'UPLOAD_INCOMPLETE'])
  expect(twice.json()).toEqual(done.json())
  expect((await call('DELETE', `/api/sessions/${id}/uploads/${uploadId}`, { token })).json().code).toBe(
    'UPLOAD_FINISHED',
  )
})

onSessionServer(
  'T146 a session takes files sealed for a session, under sealed names, and no others',
  async (server) => {
    const { aSession, sendChunk, get } = server
    const { id, token } = await aSession()
    const personal = await sealFile({ plainBytes: 10 })
    const file = await sealSessionFile(10)
    const send = async (sent: typeof file, more: Record<string, string> = {}) =>
      (await sendChunk(id, { token }, { file: sent, uploadId: anUploadId(), index: 0 }, more)).json().code

    expect(await send(personal)).toBe('ENVELOPE_KIND')
    expect(await send(file, { 'x-file-name': 'report.pdf' })).toBe('SEALED_NAME_REQUIRED')
    expect(await send(file, { 'x-file-expiration-minutes': '180' })).toBe('EXPIRATION_NOT_OFFERED')
    const keyed = await get(`/api/sessions/files/${id}/download?master_key=secret`, { token })
    expect([keyed.statusCode, keyed.json().code]).toEqual([400, 'KEY_IN_REQUEST'])
  },
)

const bytesOf = (folder: string, fileId: string): boolean =>
  existsSync(`${folder}/bytes`) &&
  readdirSync(`${folder}/bytes`, { recursive: true }).some((path) => String(path).includes(fileId))
