import { existsSync, readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { randomUploadId } from '../../testing/servers/file-server.ts'
import { onSessionServerWithBothDatabases, sealSessionFile } from '../../testing/servers/session-server.ts'

const minute = 60_000

onSessionServerWithBothDatabases(
  'SES-07 SES-08 a file uploaded by one participant is listed for the others, who can download it',
  async (server) => {
    const { createSession, joinAsGuest, storeFile, get, now } = server
    const { id, pin, token } = await createSession({ default_file_expiration_minutes: 5 })
    const guest = await joinAsGuest(pin)
    await joinAsGuest(pin, '203.0.113.10')
    const file = await sealSessionFile(150_000)

    const fileId = await storeFile(id, { token: guest.token }, file)

    const listed = (await get(`/api/sessions/${id}/files`, { token })).json().files
    const downloadPath = `/api/sessions/files/${fileId}/download?session_pin=${pin}`
    const fetched = await get(downloadPath, { address: '203.0.113.10' })
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

onSessionServerWithBothDatabases(
  'SES-13 a file of a session expires after the lifetime of the session or its own, to the second',
  async (server) => {
    const { createSession, storeFile, get, advance, sweep, folder } = server
    const bare = await createSession({ key_mode: 'pin' })
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
    const expired = await get(`/api/sessions/files/${short}/download`, { token })
    await sweep()

    expect([before.toSorted(), after]).toEqual([[long, short].toSorted(), [long]])
    expect([expired.statusCode, expired.json().code]).toEqual([404, 'FILE_NOT_FOUND'])
    expect(bytesOf(folder, short)).toBe(false)
    expect(bytesOf(folder, long)).toBe(true)
  },
)

onSessionServerWithBothDatabases(
  'SES-08 any participant can delete a file, and its bytes are deleted',
  async (server) => {
    const { createSession, joinAsGuest, storeFile, remove, get, folder, db } = server
    const { id, pin, token, userId } = await createSession()
    const guest = await joinAsGuest(pin)
    const fileId = await storeFile(id, { token }, await sealSessionFile(1000))

    const removed = await remove(`/api/sessions/files/${fileId}`, { token: guest.token })

    expect(removed.statusCode).toBe(200)
    expect((await get(`/api/sessions/${id}/files`, { token })).json().files).toEqual([])
    expect(bytesOf(folder, fileId)).toBe(false)
    const use = await db.selectFrom('storage_use').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
    expect([use.used_bytes, use.reserved_bytes]).toEqual([0, 0])
  },
)

onSessionServerWithBothDatabases(
  'T097 T099 T100 a file of a session is accessible to its participants only',
  async (server) => {
    const { createSession, createUser, storeFile, get, remove, call } = server
    const [one, other] = [await createSession(), await createSession()]
    const fileId = await storeFile(one.id, { token: one.token }, await sealSessionFile(10))
    const address = `/api/sessions/files/${fileId}`
    const credentials = [
      {},
      { pin: other.pin },
      { token: other.token },
      { bearer: await createUser() },
      { pin: '999999', address: '198.51.100.20' },
    ]

    for (const show of credentials) {
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
  },
)

onSessionServerWithBothDatabases(
  'SHR-06 the link of a session file gives a participant with the PIN the file and its keys',
  async (server) => {
    const { createSession, joinAsGuest, storeFile, get } = server
    const { id, pin, token, session } = await createSession()
    const guest = await joinAsGuest(pin)
    const file = await sealSessionFile(10)
    const fileId = await storeFile(id, { token }, file)

    const found = await get(`/api/sessions/files/${fileId}`, { pin })

    expect(found.json()).toMatchObject({
      file: { id: fileId, original_name: file.name, encrypted_file_key: file.envelope },
      session: { id, key_mode: 'pin2', key_share: session.key_share, participant_id: guest.id },
    })
  },
)

onSessionServerWithBothDatabases(
  'FIL-20 files of a session count as storage of its creator and are limited by it',
  async (server) => {
    const { createSession, joinAsGuest, sendChunk, call } = server
    const { id, pin, token, bearer } = await createSession()
    const guest = await joinAsGuest(pin)
    const file = await sealSessionFile(60_000)
    const uploadId = randomUploadId()
    const first = await sendChunk(id, { token: guest.token }, { file, uploadId, index: 0 })
    const second = await sealSessionFile(60_000)

    const refused = await sendChunk(id, { token }, { file: second, uploadId: randomUploadId(), index: 0 })
    const cancelled = await call('DELETE', `/api/sessions/${id}/uploads/${uploadId}`, { token })
    const retried = await sendChunk(id, { token }, { file: second, uploadId: randomUploadId(), index: 0 })

    expect([first.statusCode, refused.statusCode, refused.json().code]).toEqual([200, 413, 'STORAGE_LIMIT'])
    expect([cancelled.statusCode, retried.statusCode]).toEqual([200, 200])
    expect((await call('GET', '/api/uploads', bearer)).json().uploads, 'not among the uploads of the creator').toEqual(
      [],
    )
  },
  { storageBytes: 100_000 },
)

onSessionServerWithBothDatabases(
  "FIL-20 an upload of a guest reserves the creator's storage until 15 minutes after its last byte",
  async (server) => {
    const { createSession, joinAsGuest, sendChunk, post, advance, sweep, db } = server
    const { id, pin, token, userId } = await createSession()
    const guest = await joinAsGuest(pin)
    const file = await sealSessionFile(100_000)
    const uploadId = randomUploadId()
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
    expect(next.statusCode, 'it can start again').toBe(200)
  },
)

onSessionServerWithBothDatabases(
  'T140 SES-09 an upload to a session that ends gets the not-found error, and nothing of it remains',
  async (server) => {
    const { createSession, joinAsGuest, sendChunk, completeUpload, post, folder, db } = server
    const { id, pin, token, userId } = await createSession()
    const guest = await joinAsGuest(pin)
    const file = await sealSessionFile(100_000)
    const uploadId = randomUploadId()
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

onSessionServerWithBothDatabases('SES-09 ending a session deletes its files and their bytes', async (server) => {
  const { createSession, storeFile, post, folder, db } = server
  const { id, token } = await createSession()
  const fileId = await storeFile(id, { token }, await sealSessionFile(5000))
  const before = bytesOf(folder, fileId)

  await post(`/api/sessions/${id}/leave`, {}, { token })

  expect([before, bytesOf(folder, fileId)]).toEqual([true, false])
  expect(await db.selectFrom('files').selectAll().execute()).toEqual([])
})

onSessionServerWithBothDatabases(
  'an interrupted upload can be resumed by a participant of the session',
  async (server) => {
    const { createSession, sendChunk, completeUpload, get, call } = server
    const { id, token } = await createSession()
    const file = await sealSessionFile(200_000)
    const uploadId = randomUploadId()
    await sendChunk(id, { token }, { file, uploadId, index: 0 })
    await sendChunk(id, { token }, { file, uploadId, index: 2 })

    const open = (await get(`/api/sessions/${id}/uploads/${uploadId}`, { token })).json()
    const early = await completeUpload(id, { token }, { file, uploadId })
    for (const index of [1, 3]) await sendChunk(id, { token }, { file, uploadId, index })
    const done = await completeUpload(id, { token }, { file, uploadId })
    const repeated = await completeUpload(id, { token }, { file, uploadId })

    expect(open).toMatchObject({
      uploadId,
      received: [
        [0, 0],
        [2, 2],
      ],
      totalChunks: 4,
    })
    expect([early.statusCode, early.json().code]).toEqual([400, 'UPLOAD_INCOMPLETE'])
    expect(repeated.json()).toEqual(done.json())
    expect((await call('DELETE', `/api/sessions/${id}/uploads/${uploadId}`, { token })).json().code).toBe(
      'UPLOAD_FINISHED',
    )
  },
)

onSessionServerWithBothDatabases(
  'T146 a session accepts only files sealed for a session, with sealed names',
  async (server) => {
    const { createSession, sendChunk, get } = server
    const { id, token } = await createSession()
    const personal = await sealFile({ plainBytes: 10 })
    const file = await sealSessionFile(10)
    const send = async (sent: typeof file, more: Record<string, string> = {}) =>
      (await sendChunk(id, { token }, { file: sent, uploadId: randomUploadId(), index: 0 }, more)).json().code

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
