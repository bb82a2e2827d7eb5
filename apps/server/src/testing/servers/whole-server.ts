import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { readConfig } from '../../config.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { createLogger } from '../../platform/http/logger.ts'
import type { ResourceLimits } from '../../platform/rate-limit/resources.ts'
import { createServer } from '../../server.ts'
import { sealFile, type TestFile } from '../clients/sealed-file.ts'
import { createSealedMessage } from '../clients/sealed-message.ts'
import { chunkHeaders, randomUploadId } from './file-server.ts'

/** Starts the complete server with its own folder and port. Logs everything to `log`, otherwise only errors to `logged`. */
export async function startWholeServer(
  environment: Readonly<Record<string, string>> = {},
  log?: { write(line: string): void },
  limitOverrides: Partial<ResourceLimits> = {},
) {
  const folder = environment['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'))
  const logged: string[] = []
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, ...environment })
  const logger = log ? createLogger('info', log) : createLogger('error', { write: (line) => void logged.push(line) })
  const server = await createServer({
    config,
    logger,
    version: '9.8.7',
    resourceLimits: { ...resourceLimits, ...limitOverrides },
  })
  await server.listen()
  const { port } = server.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    app: server.app,
    folder,
    port,
    url,
    /** Log lines of level error. */
    logged,
    createMember,
    store,
    /** Creates an admin with a file, an upload in progress and a session, and returns known values for request fields. */
    async seed() {
      const { accessToken, userId } = await createMember()
      await makeAdmin(userId)
      const message = await createSealedMessage({ contextId: userId })
      const stored = await sealFile({ plainBytes: 1000 })
      const next = await sealFile({ plainBytes: 500 })
      const ids = [
        await store(accessToken, stored),
        await store((await createMember()).accessToken, await sealFile({ plainBytes: 10 })),
      ]
      const session = await openSession(accessToken)
      const uploadIds = [await beginUpload(accessToken), randomUploadId()]
      const envelopes = [next.envelope, stored.envelope]
      const known = {
        id: [...ids, userId],
        uploadId: uploadIds,
        'x-upload-id': uploadIds,
        'x-chunk-index': ['0', '1'],
        'x-chunk-size': ['65536'],
        'x-file-expiration-minutes': ['5', '60'],
        'x-file-name': [next.name],
        fileName: [next.name, stored.name],
        'x-encrypted-file-key': envelopes,
        encryptedFileKey: envelopes,
        shareEncryptedFileKey: [await stored.wrap('share', stored.rootKey), stored.envelope],
        encryptedMessage: [message.encryptedMessage],
        encryptedKey: [message.encryptedKey],
        'if-none-match': ['*'],
        session_pin: [session.pin],
        'x-session-pin': [session.pin],
        'x-participant-token': [session.token],
      }
      return { accessToken, known, bytes: next.sealed }
    },
    /** Stops the server without deleting its data. */
    closeKeepingData: () => server.close(),
    async stop() {
      await server.close()
      if (environment['DATA_DIR'] === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }

  async function createMember() {
    const credentials = {
      email: `${randomBytes(6).toString('hex')}@example.org`,
      password: `Zk2.${randomBytes(32).toString('base64url')}`,
    }
    // Behind a trusted proxy each member registers from another address: registrations are limited per address.
    const isProxied = environment['TRUSTED_PROXIES'] !== undefined
    const address = { 'x-forwarded-for': `198.18.${randomInt(256)}.${randomInt(256)}` }
    const headers = { 'content-type': 'application/json', ...(isProxied && address) }
    const call = async (path: string) => {
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(credentials) })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return answer.json() as Promise<{ session: { access_token: string }; user: { id: string } }>
    }
    await call('/api/register')
    const { session, user } = await call('/api/login')
    return { ...credentials, accessToken: session.access_token, userId: user.id }
  }

  async function makeAdmin(userId: string): Promise<void> {
    const databaseUrl = environment['DATABASE_URL']
    const { db, close } = await openDatabase({ databaseUrl, folder, onError: () => undefined })
    await db.insertInto('admins').values({ user_id: userId, since: Date.now() }).execute()
    await close()
  }

  /** Stores a small file and returns its id. */
  async function store(accessToken: string, file: TestFile): Promise<string> {
    const headers = { ...uploadHeaders(accessToken), 'x-file-name': file.name, 'x-encrypted-file-key': file.envelope }
    const answer = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: new Uint8Array(file.sealed) })
    if (!answer.ok) throw new Error(`upload: ${answer.status}`)
    return ((await answer.json()) as { id: string }).id
  }

  /** Creates a session and returns its PIN and participant token. */
  async function openSession(accessToken: string): Promise<{ pin: string; token: string }> {
    const pin = String(randomInt(100_000, 1_000_000))
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ session_pin: pin })
    const answer = await fetch(`${url}/api/sessions`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`sessions: ${answer.status}`)
    return { pin, token: ((await answer.json()) as { participant_token: string }).participant_token }
  }

  /** Sends the first of two chunks and returns the upload id. */
  async function beginUpload(accessToken: string): Promise<string> {
    const file = await sealFile({ plainBytes: 100_000 })
    const uploadId = randomUploadId()
    const headers = { ...uploadHeaders(accessToken), ...chunkHeaders(file, { uploadId, index: 0 }) }
    const body = new Uint8Array(file.chunks[0] ?? [])
    const answer = await fetch(`${url}/api/upload-chunk`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`upload-chunk: ${answer.status}`)
    return uploadId
  }
}

const uploadHeaders = (accessToken: string) => ({
  authorization: `Bearer ${accessToken}`,
  'content-type': 'application/octet-stream',
})

export type WholeServer = Awaited<ReturnType<typeof startWholeServer>>
