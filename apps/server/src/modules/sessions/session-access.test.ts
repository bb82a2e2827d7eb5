import { fillPath } from '@sallyport/contract/endpoint'
import { sessionFiles } from '@sallyport/contract/session-files'
import { sessions } from '@sallyport/contract/sessions'
import { expect } from 'vitest'
import { chunkHeaders, randomUploadId } from '../../testing/servers/file-server.ts'
import { onSessionServer, type SessionServer, sealSessionFile } from '../../testing/servers/session-server.ts'

type Credentials = Parameters<SessionServer['get']>[1]

/** Every call about one session, as a participant would make it. */
async function createCalls(server: SessionServer, id: string, fileId: string) {
  const file = await sealSessionFile(10)
  const uploadId = randomUploadId()
  const params = { id, fileId, uploadId, participantId: id, knockId: id }
  const summary = {
    uploadId,
    fileName: file.name,
    encryptedFileKey: file.envelope,
    totalChunks: 1,
    chunkSize: file.chunkBytes,
  }
  const bodies: Readonly<Record<string, object>> = {
    settings: { locked: false },
    rename: { participant_name: null },
    answerJoinRequest: { admit: true },
    send: { message_text: 'x', encrypted_key: 'x' },
    completeUpload: summary,
    admit: { body: 'knock.AAAA' },
  }
  const { create: _, join: __, ...aboutOne } = sessions
  return [...Object.entries(aboutOne), ...Object.entries(sessionFiles)].map(([name, spec]) => {
    const isBytes = name === 'uploadChunk'
    return {
      name: `${spec.method} ${spec.path}`,
      isAboutFile: spec.path.includes(':fileId'),
      make: (credentials: Credentials = {}) =>
        server.app.inject({
          method: spec.method,
          url: fillPath(spec.path, params),
          headers: {
            'x-forwarded-for': credentials.address ?? '203.0.113.9',
            ...(credentials.token !== undefined && { 'x-participant-token': credentials.token }),
            ...(credentials.pin !== undefined && { 'x-session-pin': credentials.pin }),
            ...(credentials.bearer !== undefined && { authorization: `Bearer ${credentials.bearer}` }),
            ...(isBytes && chunkHeaders(file, { uploadId, index: 0 })),
          },
          ...(isBytes
            ? { payload: Buffer.from(file.chunks[0] ?? []) }
            : ['POST', 'PUT'].includes(spec.method) && { payload: bodies[name] ?? {} }),
        }),
    }
  })
}

onSessionServer(
  'T096 T100 every call about a session gets the same error for everyone who is not in it',
  async (server) => {
    const { createSession, joinAsGuest, createUser, storeFile, remove, post } = server
    const [own, foreign, ended] = [await createSession(), await createSession(), await createSession()]
    const fileId = await storeFile(own.id, { token: own.token }, await sealSessionFile(10))
    const [removed, former] = [await joinAsGuest(own.pin), await joinAsGuest(own.pin)]
    await remove(`/api/sessions/${own.id}/participants/${removed.id}`, { token: own.token })
    await post(`/api/sessions/${own.id}/leave`, {}, { token: former.token })
    await post(`/api/sessions/${ended.id}/leave`, {}, { token: ended.token })
    const outsiders: Readonly<Record<string, Credentials>> = {
      'a stranger': {},
      'a user with an account': { bearer: await createUser() },
      'a removed participant': { token: removed.token },
      'a participant who left': { token: former.token },
      'a made-up token': { token: Buffer.alloc(32, 9).toString('base64url') },
      'the creator of another session': { token: foreign.token },
      'the creator of an ended session': { token: ended.token },
      'an account with another session': foreign.bearer,
    }
    const calls = await createCalls(server, own.id, fileId)

    for (const [who, show] of Object.entries(outsiders)) {
      for (const { name, isAboutFile, make } of calls) {
        const { statusCode, body } = await make(show)
        const isFileOfAnother = who === 'the creator of another session' && isAboutFile
        const code = isFileOfAnother ? 'FILE_NOT_FOUND' : 'SESSION_NOT_FOUND'
        expect([statusCode, JSON.parse(body).code], `${who}: ${name}`).toEqual([404, code])
      }
    }
    for (const [index, { name, make }] of calls.entries()) {
      const wrong = await make({ pin: foreign.pin, address: `198.51.100.${index}` })
      expect(wrong.statusCode, `the PIN of another session: ${name}`).toBe(404)
    }
    expect(calls).toHaveLength(20)
  },
)

onSessionServer('T101 calls reserved to the creator get 403 for other participants', async (server) => {
  const { createSession, joinAsGuest, storeFile } = server
  const { id, pin, token } = await createSession()
  const guest = await joinAsGuest(pin)
  const fileId = await storeFile(id, { token }, await sealSessionFile(10))
  const creatorOnly = ['settings', 'remove', 'answerJoinRequest']

  for (const { name, make } of await createCalls(server, id, fileId)) {
    if (!creatorOnly.includes(name)) continue
    const refused = await make({ token: guest.token })
    expect([name, refused.statusCode, refused.json().code]).toEqual([name, 403, 'FORBIDDEN'])
    expect((await make({ token })).statusCode, name).not.toBe(403)
  }
})
