import { fillPath } from '@sallyport/contract/endpoint'
import { sessionFiles } from '@sallyport/contract/session-files'
import { sessions } from '@sallyport/contract/sessions'
import { expect } from 'vitest'
import { onSessionServer, type SessionServer, sealSessionFile } from '../testing/session-server.ts'
import { anUploadId, chunkHeaders } from '../testing/storing-server.ts'

type Show = Parameters<SessionServer['get']>[1]

/** Every call about one session, as somebody in it would make it. */
async function callsAbout(server: SessionServer, id: string, fileId: string) {
  const file = await sealSessionFile(10)
  const uploadId = anUploadId()
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
    answerKnock: { admit: true },
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
      make: (show: Show = {}) =>
        server.app.inject({
          method: spec.method,
          url: fillPath(spec.path, params),
          headers: {
            'x-forwarded-for': show.address ?? '203.0.113.9',
            ...(show.token !== undefined && { 'x-participant-token': show.token }),
            ...(show.pin !== undefined && { 'x-session-pin': show.pin }),
            ...(show.bearer !== undefined && { authorization: `Bearer ${show.bearer}` }),
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
  'T096 T100 every call about a session is refused alike to everybody who is not in it',
  async (server) => {
    const { aSession, aGuest, aUser, storeFile, remove, post } = server
    const [here, there, over] = [await aSession(), await aSession(), await aSession()]
    const fileId = await storeFile(here.id, { token: here.token }, await sealSessionFile(10))
    const [removed, left] = [await aGuest(here.pin), await aGuest(here.pin)]
    await remove(`/api/sessions/${here.id}/participants/${removed.id}`, { token: here.token })
    await post(`/api/sessions/${here.id}/leave`, {}, { token: left.token })
    await post(`/api/sessions/${over.id}/leave`, {}, { token: over.token })
    const nobodies: Readonly<Record<string, Show>> = {
      'a stranger': {},
      'somebody with an account': { bearer: await aUser() },
      'somebody removed': { token: removed.token },
      'somebody who left': { token: left.token },
      'a made-up token': { token: Buffer.alloc(32, 9).toString('base64url') },
      'the creator of another session': { token: there.token },
      'the creator of one that is over': { token: over.token },
      'an account with another session': there.bearer,
    }
    const calls = await callsAbout(server, here.id, fileId)

    for (const [who, show] of Object.entries(nobodies)) {
      for (const { name, isAboutFile, make } of calls) {
        const { statusCode, body } = await make(show)
        const isFileOfAnother = who === 'the creator of another session' && isAboutFile
        const code = isFileOfAnother ? 'FILE_NOT_FOUND' : 'SESSION_NOT_FOUND'
        expect([statusCode, JSON.parse(body).code], `${who}: ${name}`).toEqual([404, code])
      }
    }
    for (const [place, { name, make }] of calls.entries()) {
      const wrong = await make({ pin: there.pin, address: `198.51.100.${place}` })
      expect(wrong.statusCode, `the PIN of another session: ${name}`).toBe(404)
    }
    expect(calls).toHaveLength(20)
  },
)

onSessionServer('T101 what only the creator may do is refused to every other participant', async (server) => {
  const { aSession, aGuest, storeFile } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin)
  const fileId = await storeFile(id, { token }, await sealSessionFile(10))
  const ofCreator = ['settings', 'remove', 'answerKnock']

  for (const { name, make } of await callsAbout(server, id, fileId)) {
    if (!ofCreator.includes(name)) continue
    const refused = await make({ token: guest.token })
    expect([name, refused.statusCode, refused.json().code]).toEqual([name, 403, 'FORBIDDEN'])
    expect((await make({ token })).statusCode, name).not.toBe(403)
  }
})
