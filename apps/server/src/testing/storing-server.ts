import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import type { LiveEvent } from '@sallyport/contract/live'
import { openVolumes } from '../blobs/volumes.ts'
import { fileRoutes } from '../files/files.routes.ts'
import { createFiles } from '../files/files.service.ts'
import { createFilesStore } from '../files/files.store.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../http/logger.ts'
import { uploadRoutes } from '../uploads/uploads.routes.ts'
import { createUploads } from '../uploads/uploads.service.ts'
import { createUploadsStore } from '../uploads/uploads.store.ts'
import type { Stage } from './databases.ts'
import type { TestFile } from './sealed-file.ts'

interface Setting {
  readonly strict?: boolean
  readonly storageBytes?: number
  readonly log?: string[]
}

/** A server that stores and shares files and does nothing else; `Bearer <user id>` is a sign-in. */
export async function startStoring(stage: Stage, { strict = true, storageBytes = 2 ** 30, log = [] }: Setting = {}) {
  const { db, now, folder } = stage
  const events: { userId: string; event: LiveEvent }[] = []
  const announce = (userId: string, event: LiveEvent): void => void events.push({ userId, event })
  const bytesFolder = join(folder, 'bytes')
  const volumes = await openVolumes({ folders: [bytesFolder] })
  const limits = { storageBytes }
  const app = await createApp({
    logger: createLogger('info', { write: (line: string) => void log.push(line) }),
    findAccount: async (userId) => ({ userId, signInId: userId, email: '' }),
    trustedProxies: [],
    publicUrl: new URL('http://sallyport.test'),
    operatorToken: undefined,
  })
  const uploads = createUploads({
    store: createUploadsStore(db),
    volumes,
    announce,
    now,
    strict,
    storageLimitOf: async () => limits.storageBytes,
    expirationMinutesOf: async () => 60,
  })
  uploadRoutes(app, { uploads })
  const files = createFiles({ store: createFilesStore(db), volumes, announce, now })
  fileRoutes(app, { files, volumes, strict })

  async function aUser(): Promise<string> {
    const id = randomUUIDv7()
    const at = now()
    const nothing = { email: null, phone: null, email_confirmed_at: null, phone_confirmed_at: null }
    const times = { banned_until: null, last_sign_in_at: null, created_at: at, updated_at: at }
    await db
      .insertInto('users')
      .values({ id, ...nothing, password_hash: null, app_metadata: '{}', user_metadata: '{}', ...times })
      .execute()
    return id
  }

  const as = (userId: string) => ({ authorization: `Bearer ${userId}` })

  function sendChunk(userId: string, { file, uploadId, index, bytes = file.chunks[index], headers = {} }: SentChunk) {
    return app.inject({
      method: 'POST',
      url: '/api/upload-chunk',
      headers: { ...as(userId), ...chunkHeaders(file, { uploadId, index }), ...headers },
      payload: bytes ?? Buffer.alloc(0),
    })
  }

  function complete(userId: string, { file, uploadId, claim = {} }: SentClaim) {
    return app.inject({
      method: 'POST',
      url: '/api/complete-chunk-upload',
      headers: as(userId),
      payload: { ...claimOf(file), uploadId, ...claim },
    })
  }

  return {
    app,
    as,
    aUser,
    volumes,
    bytesFolder,
    events,
    limits,
    sendChunk,
    complete,
    call: (userId: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD', url: string, more: object = {}) =>
      app.inject({ method, url, headers: as(userId), ...more }),
    /** Uploads a whole file and answers its id. */
    async store(userId: string, file: TestFile, headers: Readonly<Record<string, string>> = {}): Promise<string> {
      const uploadId = anUploadId()
      for (const index of file.chunks.keys()) await sendChunk(userId, { file, uploadId, index, headers })
      return (await complete(userId, { file, uploadId })).json().fileId
    },
  }
}

export type StoringServer = Awaited<ReturnType<typeof startStoring>>

interface SentChunk {
  readonly file: TestFile
  readonly uploadId: string
  readonly index: number
  readonly bytes?: Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface SentClaim {
  readonly file: TestFile
  readonly uploadId: string
  readonly claim?: object
}

export const anUploadId = (): string => randomBytes(16).toString('base64url')
export const aUuid = (): string => randomUUID()

/** The headers a browser sends along with a chunk. */
export const chunkHeaders = (file: TestFile, { uploadId, index }: { uploadId: string; index: number }) => ({
  'content-type': 'application/octet-stream',
  'x-upload-id': uploadId,
  'x-chunk-index': String(index),
  'x-file-name': file.name,
  'x-encrypted-file-key': file.envelope,
  'x-chunk-size': String(file.chunkBytes),
})

export const claimOf = (file: TestFile) => ({
  fileName: file.name,
  encryptedFileKey: file.envelope,
  totalChunks: file.chunks.length,
  chunkSize: file.chunkBytes,
})
