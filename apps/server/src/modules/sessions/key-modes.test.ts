import { createDecipheriv } from 'node:crypto'
import {
  createLinkSecret,
  deriveSessionKey,
  fromBase64url,
  linkCheckOf,
  openEnvelope,
  openMessage,
  sealMessage,
  toBase64url,
} from '@sallyport/crypto'
import { expect } from 'vitest'
import { onSessionServer, type SessionServer, sealSessionFile } from '../../testing/servers/session-server.ts'

type CreatedSession = Awaited<ReturnType<SessionServer['createSession']>>

/** Stores a message and a file in a session, sealed under its key as a browser does. */
async function storeContents(server: SessionServer, { id, token }: CreatedSession, root: Uint8Array) {
  const sealed = await sealMessage({ root, kind: 'session', contextId: id, text: 'the gate code', sentAt: 1 })
  const body = { message_text: sealed.encryptedContent, encrypted_key: sealed.encryptedKey }
  await server.post(`/api/sessions/${id}/messages`, body, { token })
  await server.storeFile(id, { token }, await sealSessionFile(10, root))
}

/** Everything the server has: the whole database and the secrets folder. */
async function readServerData({ db, secrets }: SessionServer, id: string) {
  const [message] = await db.selectFrom('session_messages').selectAll().where('session_id', '=', id).execute()
  const [file] = await db.selectFrom('files').selectAll().where('session_id', '=', id).execute()
  const [keyShare] = await db.selectFrom('session_key_shares').selectAll().where('session_id', '=', id).execute()
  return { message, file, share: keyShare ? openShare(keyShare.sealed_share, id, secrets.session) : null }
}

function openShare(sealed: string, id: string, secret: Buffer): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12)).setAAD(Buffer.from(id))
  return Buffer.concat([decipher.setAuthTag(bytes.subarray(-16)).update(bytes.subarray(12, -16)), decipher.final()])
}

async function canRead(
  serverData: Awaited<ReturnType<typeof readServerData>>,
  id: string,
  root: Uint8Array,
): Promise<boolean> {
  const { message, file } = serverData
  const part = { encryptedKey: message?.wrapped_key ?? '', encryptedContent: message?.sealed_text ?? '' }
  const opened = await openMessage({ root, kind: 'session', contextId: id, ...part }).catch(() => null)
  const envelope = await openEnvelope({ root, wrapType: 'session', envelope: file?.wrapped_key ?? '' }).catch(
    () => null,
  )
  expect(opened === null).toBe(envelope === null)
  return opened?.text === 'the gate code'
}

onSessionServer('SES-11 a PIN-only session is readable by the server, as its label says', async (server) => {
  const session = await server.createSession({ key_mode: 'pin' })
  const { id, pin } = session
  const root = await deriveSessionKey({ mode: 'pin', pin })
  await storeContents(server, session, root)

  const serverData = await readServerData(server, id)

  expect(session.session).toMatchObject({ key_mode: 'pin', key_share: null })
  expect(serverData.share).toBeNull()
  // The server has seen the PIN, and everyone else can try all of them.
  expect(await canRead(serverData, id, await deriveSessionKey({ mode: 'pin', pin }))).toBe(true)
})

onSessionServer(
  'a default session is readable by the server while it lasts, never from a copy of its database, and afterwards by nobody',
  async (server) => {
    const session = await server.createSession({ key_mode: 'pin2' })
    const { id, pin, token } = session
    const share = fromBase64url(session.session.key_share)
    const root = await deriveSessionKey({ mode: 'pin2', pin, sessionId: id, share })
    await storeContents(server, session, root)
    const serverData = await readServerData(server, id)

    const byServer = await deriveSessionKey({
      mode: 'pin2',
      pin,
      sessionId: id,
      share: new Uint8Array(serverData.share ?? []),
    })
    const sealedShare = (await server.db.selectFrom('session_key_shares').selectAll().executeTakeFirstOrThrow())
      .sealed_share
    await server.post(`/api/sessions/${id}/leave`, {}, { token })
    const afterwards = await readServerData(server, id)

    expect(await canRead(serverData, id, byServer)).toBe(true)
    expect(() => openShare(sealedShare, id, Buffer.alloc(32, 1)), 'the database alone').toThrow()
    expect(await canRead(serverData, id, await deriveSessionKey({ mode: 'pin', pin })), 'the PIN alone').toBe(false)
    expect(afterwards).toEqual({ message: undefined, file: undefined, share: null })
    // A recorded message still exists, but nothing is left that could decrypt it.
    expect(server.secrets.session).toHaveLength(32)
  },
)

onSessionServer(
  'a private session is unreadable with the database, the secrets and the PIN together',
  async (server) => {
    const linkSecret = createLinkSecret()
    const linkCheck = toBase64url(await linkCheckOf(linkSecret))
    const session = await server.createSession({ key_mode: 'secret', link_check: linkCheck })
    const { id, pin } = session
    const share = fromBase64url(session.session.key_share)
    await storeContents(
      server,
      session,
      await deriveSessionKey({ mode: 'secret', pin, sessionId: id, share, linkSecret }),
    )

    const serverData = await readServerData(server, id)
    const everyKey = [
      await deriveSessionKey({ mode: 'pin', pin }),
      await deriveSessionKey({ mode: 'pin2', pin, sessionId: id, share: new Uint8Array(serverData.share ?? []) }),
      await deriveSessionKey({
        mode: 'secret',
        pin,
        sessionId: id,
        share: new Uint8Array(serverData.share ?? []),
        linkSecret: fromBase64url(linkCheck).slice(0, 16),
      }),
    ]

    expect(serverData.share?.equals(Buffer.from(share))).toBe(true)
    for (const key of everyKey) expect(await canRead(serverData, id, key)).toBe(false)
    const whole = JSON.stringify(serverData) + server.log.join('')
    expect(whole).not.toContain(toBase64url(linkSecret))
    expect(
      await canRead(serverData, id, await deriveSessionKey({ mode: 'secret', pin, sessionId: id, share, linkSecret })),
    ).toBe(true)
  },
)

onSessionServer('only a private session has a link check, and requires one', async (server) => {
  const bearer = await server.createUser()
  const open = async (body: object) =>
    (await server.post('/api/sessions', { session_pin: '482913', ...body }, { bearer })).statusCode

  expect(await open({ key_mode: 'secret' })).toBe(400)
  expect(await open({ key_mode: 'pin2', link_check: Buffer.alloc(32).toString('base64url') })).toBe(400)
  expect(await open({ key_mode: 'open' })).toBe(400)
})
