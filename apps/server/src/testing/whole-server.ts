import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { readConfig } from '../config.ts'
import { createLogger } from '../http/logger.ts'
import type { ResourceLimits } from '../resources/resources.ts'
import { createServer } from '../server.ts'
import { sealFile, type TestFile } from './sealed-file.ts'
import { aSealedMessage } from './sealed-message.ts'
import { anUploadId, chunkHeaders } from './storing-server.ts'

/** The whole server, as it is put together for people, on a folder and a port of its own; its whole log if one is given. */
export async function startWholeServer(
  environment: Readonly<Record<string, string>> = {},
  log?: { write(line: string): void },
  bounds: Partial<ResourceLimits> = {},
) {
  const folder = environment['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'))
  const logged: string[] = []
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, ...environment })
  const logger = log ? createLogger('info', log) : createLogger('error', { write: (line) => void logged.push(line) })
  const server = await createServer({
    config,
    logger,
    version: '9.8.7',
    resourceLimits: { ...resourceLimits, ...bounds },
  })
  await server.listen()
  const { port } = server.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    app: server.app,
    folder,
    port,
    url,
    /** Lines of the log at level error. */
    logged,
    aMember,
    store,
    /** A member who has a file, a shared one and an upload under way, and what it takes to speak of them. */
    async furnish() {
      const { accessToken, userId } = await aMember()
      const message = await aSealedMessage({ contextId: userId })
      const stored = await sealFile({ plainBytes: 1000 })
      const next = await sealFile({ plainBytes: 500 })
      const ids = [
        await store(accessToken, stored),
        await store((await aMember()).accessToken, await sealFile({ plainBytes: 10 })),
      ]
      const session = await openSession(accessToken)
      const uploadIds = [await beginUpload(accessToken), anUploadId()]
      const envelopes = [next.envelope, stored.envelope]
      const known = {
        id: ids,
        uploadId: uploadIds,
        'x-upload-id': uploadIds,
        'x-chunk-index': ['0', '1'],
        'x-chunk-size': ['65536'],
        'x-file-expiration-minutes': ['5', '60'],
        'x-file-name': [next.name],
        fileName: [next.name, stored.name],
        'x-encrypted-file-key': envelopes,
        encryptedFileKey: envelopes,
        shareEncryptedFileKey: [await stored.wrap('share', stored.accountKey), stored.envelope],
        encryptedMessage: [message.encryptedMessage],
        encryptedKey: [message.encryptedKey],
        'if-none-match': ['*'],
        session_pin: [session.pin],
        'x-session-pin': [session.pin],
        'x-participant-token': [session.token],
      }
      return { accessToken, known, bytes: next.sealed }
    },
    /** Stops and leaves everything where it lies. */
    pause: () => server.close(),
    async stop() {
      await server.close()
      if (environment['DATA_DIR'] === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }

  async function aMember() {
    const credentials = {
      email: `${randomBytes(6).toString('hex')}@example.org`,
      password: `Zk2.${randomBytes(32).toString('base64url')}`,
    }
    const call = async (path: string) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(credentials) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return answer.json() as Promise<{ session: { access_token: string }; user: { id: string } }>
    }
    await call('/api/register')
    const { session, user } = await call('/api/login')
    return { ...credentials, accessToken: session.access_token, userId: user.id }
  }

  /** Stores a small file and answers its id. */
  async function store(accessToken: string, file: TestFile): Promise<string> {
    const headers = { ...bytesOf(accessToken), 'x-file-name': file.name, 'x-encrypted-file-key': file.envelope }
    const answer = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: new Uint8Array(file.sealed) })
    if (!answer.ok) throw new Error(`upload: ${answer.status}`)
    return ((await answer.json()) as { id: string }).id
  }

  /** Opens a session, and answers what lets people into it. */
  async function openSession(accessToken: string): Promise<{ pin: string; token: string }> {
    const pin = String(randomInt(100_000, 1_000_000))
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ session_pin: pin })
    const answer = await fetch(`${url}/api/sessions`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`sessions: ${answer.status}`)
    return { pin, token: ((await answer.json()) as { participant_token: string }).participant_token }
  }

  /** Sends the first of two chunks, and answers the id of the upload. */
  async function beginUpload(accessToken: string): Promise<string> {
    const file = await sealFile({ plainBytes: 100_000 })
    const uploadId = anUploadId()
    const headers = { ...bytesOf(accessToken), ...chunkHeaders(file, { uploadId, index: 0 }) }
    const body = new Uint8Array(file.chunks[0] ?? [])
    const answer = await fetch(`${url}/api/upload-chunk`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`upload-chunk: ${answer.status}`)
    return uploadId
  }
}

const bytesOf = (accessToken: string) => ({
  authorization: `Bearer ${accessToken}`,
  'content-type': 'application/octet-stream',
})

export type WholeServer = Awaited<ReturnType<typeof startWholeServer>>
