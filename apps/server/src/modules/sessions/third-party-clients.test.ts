import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { nextPin, onSessionServer, type SessionServer } from '../../testing/servers/session-server.ts'

/** A client written from the specification alone: its own encryption, its own names, the PIN in every call. */
async function createThirdPartyClient({ app }: SessionServer, pin: string, bearer?: string) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const api = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api`
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const sessionKey = pbkdf2Sync(pin, `session-${pin}`, 100_000, 32, 'sha256')
  const seal = (bytes: Uint8Array, key: Buffer): Buffer => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  const json = { 'content-type': 'application/json' }
  const readJson = async (response: Response) => {
    const body = (await response.json()) as { error?: string }
    if (!response.ok) throw new Error(body.error)
    return body as never
  }
  const post = async (path: string, body: object) =>
    readJson(
      await fetch(api + path, { method: 'POST', headers: { ...json, ...authorization }, body: JSON.stringify(body) }),
    )
  const get = async (path: string) => readJson(await fetch(api + path, { headers: authorization }))

  return {
    create: async (): Promise<{ session: { id: string; is_creator: boolean } }> =>
      post('/sessions', { session_pin: pin, default_file_expiration_minutes: 10 }),
    join: async (): Promise<{ session: { id: string; is_creator: boolean } }> =>
      post('/sessions/join', { session_pin: pin }),
    session: async (id: string): Promise<{ session: { default_file_expiration_minutes: number } }> =>
      get(`/sessions/${id}?session_pin=${pin}`),
    heartbeat: async (id: string) =>
      readJson(await fetch(`${api}/sessions/${id}/heartbeat`, { method: 'POST', headers: authorization })),
    leave: async (id: string) => post(`/sessions/${id}/leave`, { session_pin: pin }),
    settings: async (id: string, minutes: number) =>
      readJson(
        await fetch(`${api}/sessions/${id}/settings`, {
          method: 'PUT',
          headers: { ...json, ...authorization },
          body: JSON.stringify({ default_file_expiration_minutes: minutes }),
        }),
      ),
    async sendMessage(id: string, text: string) {
      const key = randomBytes(32)
      return post(`/sessions/${id}/messages`, {
        message_text: seal(Buffer.from(text), key).toString('base64'),
        encrypted_key: seal(key, sessionKey).toString('base64'),
        session_pin: pin,
      })
    },
    messages: async (id: string): Promise<{ messages: Record<string, unknown>[] }> =>
      get(`/sessions/${id}/messages?session_pin=${pin}`),
    files: async (id: string): Promise<{ files: Record<string, unknown>[] }> =>
      get(`/sessions/${id}/files?session_pin=${pin}`),
    async upload(id: string, bytes: Buffer) {
      const key = randomBytes(32)
      const encryptedFileKey = seal(key, sessionKey).toString('base64')
      const uploadId = crypto.randomUUID()
      const chunkSize = 40_000
      const chunks = [seal(bytes.subarray(0, chunkSize), key), seal(bytes.subarray(chunkSize), key)]
      for (const [index, chunk] of chunks.entries()) {
        await readJson(
          await fetch(`${api}/sessions/${id}/upload-chunk`, {
            method: 'POST',
            headers: {
              'content-type': 'application/octet-stream',
              'X-Session-Pin': pin,
              'X-Upload-Id': uploadId,
              'X-Chunk-Index': String(index),
              'X-File-Name': 'holiday.jpg',
              'X-Chunk-Size': String(chunkSize),
            },
            body: new Uint8Array(chunk),
          }),
        )
      }
      const summary = { uploadId, fileName: 'holiday.jpg', encryptedFileKey, totalChunks: 2, chunkSize }
      const { fileId } = (await post(`/sessions/${id}/complete-upload`, { ...summary, sessionPin: pin })) as {
        fileId: string
      }
      return { fileId, encryptedFileKey, sealed: Buffer.concat(chunks) }
    },
    download: (fileId: string) => fetch(`${api}/sessions/files/${fileId}/download?session_pin=${pin}`),
    remove: async (fileId: string) =>
      readJson(await fetch(`${api}/sessions/files/${fileId}?session_pin=${pin}`, { method: 'DELETE' })),
  }
}

onSessionServer(
  'SES-02 SES-04 SES-06 SES-08 a client written from the specification alone creates, joins, writes, sends, downloads and leaves',
  async (server) => {
    const pin = nextPin()
    const creator = await createThirdPartyClient(server, pin, await server.createUser())
    const guest = await createThirdPartyClient(server, pin)

    const { session } = await creator.create()
    await creator.heartbeat(session.id)
    const joined = await guest.join()
    await creator.settings(session.id, 30)
    await guest.sendMessage(session.id, 'hello')
    const sent = await guest.upload(session.id, randomBytes(60_000))
    const download = await creator.download(sent.fileId)
    const bytes = Buffer.from(await download.arrayBuffer())

    expect(session.is_creator).toBe(true)
    expect(joined.session).toMatchObject({ id: session.id, is_creator: false })
    expect((await guest.session(session.id)).session.default_file_expiration_minutes).toBe(30)
    expect((await creator.messages(session.id)).messages).toMatchObject([
      { participant_name: 'Anonymous', content: expect.any(String), encrypted_key: expect.any(String) },
    ])
    expect((await creator.files(session.id)).files).toMatchObject([
      { id: sent.fileId, filename: 'holiday.jpg', original_name: 'holiday.jpg', session_id: session.id },
    ])
    expect(bytes.equals(sent.sealed)).toBe(true)
    expect(download.headers.get('X-Encryption-Key')).toBe(sent.encryptedFileKey)
    expect(download.headers.get('X-Chunk-Size')).toBe('40000')
    expect(download.headers.get('Content-Length')).toBe(String(sent.sealed.length))
    await guest.remove(sent.fileId)
    expect((await guest.files(session.id)).files).toEqual([])
    await guest.leave(session.id)
    await creator.leave(session.id)
    await expect(guest.session(session.id)).rejects.toThrow('Session not found')
    await expect(guest.join()).rejects.toThrow('Session not found')
  },
  { strict: false },
)
