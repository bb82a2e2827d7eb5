import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { activityLimits } from '@sallyport/contract/activity'
import type { LiveEvent } from '@sallyport/contract/live'
import type { InjectOptions } from 'fastify'
import { mountFiles } from '../../app/mount-files.ts'
import { newUser } from '../../modules/auth/users/new-user.ts'
import { createOrphanSweep } from '../../modules/files/cleanup/orphan-sweep.ts'
import { createSweepStore } from '../../modules/files/cleanup/sweep.store.ts'
import { createSweeper } from '../../modules/files/cleanup/sweeper.ts'
import { uploadSocketRoutes } from '../../modules/files/uploads/socket/upload-socket.routes.ts'
import { createUploadsStore } from '../../modules/files/uploads/uploads.store.ts'
import { createApp } from '../../platform/http/app.ts'
import type { FindAccount } from '../../platform/http/caller.ts'
import { liveRoutes } from '../../platform/realtime/live.routes.ts'
import { createOnlineAccounts } from '../../platform/realtime/online-accounts.ts'
import { createSocketAdmission } from '../../platform/realtime/socket-admission.ts'
import type { TestFile } from '../clients/sealed-file.ts'
import { onAnyDatabase, onBothDatabases, type Stage } from '../engines/databases.ts'
import { createTestContext } from './test-context.ts'

interface FileServerOptions {
  readonly strict?: boolean
  readonly storageBytes?: number
  readonly log?: string[]
  readonly trustedProxies?: readonly string[]
  readonly extendEveryMs?: number
}

/** Starts a server with only files and shares; `Bearer <user id>` authorizes a user. */
export async function startFileServer(stage: Stage, options: FileServerOptions = {}) {
  const { strict = true, storageBytes = 2 ** 30, log = [], trustedProxies = [], extendEveryMs } = options
  const { db, now, folder } = stage
  const events: { userId: string; event: LiveEvent }[] = []
  const bytesFolder = join(folder, 'bytes')
  const opened = await createTestContext(stage, {
    log,
    environment: {
      STRICT: strict ? 'on' : 'off',
      VOLUMES: bytesFolder,
      TRUSTED_PROXIES: trustedProxies.join(','),
    },
  })
  const context = {
    ...opened.context,
    publishToAccount: (userId: string, event: LiveEvent): void => void events.push({ userId, event }),
  }
  const { bus, volumes } = context
  const limits = { storageBytes }
  const findAccount: FindAccount = async (userId) => ({
    userId,
    authSessionId: userId,
    email: '',
    mfaPending: false,
    recoveredAt: null,
  })
  const authentication = { findAccount, requireLicence: async () => undefined }
  const app = await createApp({ ...context, ...authentication })
  const uploads = mountFiles(app, context, {
    uploadsStore: createUploadsStore(db),
    accountQueries: {
      storageLimitOf: async () => limits.storageBytes,
      expirationMinutesOf: async () => 60,
      isOnTrial: async () => false,
    },
    extendEveryMs,
  })
  const tickets = context.createTickets('live')
  const watchedUsers = new Set<string>()
  const socketAdmission = createSocketAdmission({
    ...context,
    tickets,
    monitorAuthSession: ({ userId }) => {
      watchedUsers.add(userId)
      return () => void watchedUsers.delete(userId)
    },
  })
  liveRoutes(app, {
    online: createOnlineAccounts(context),
    ...context,
    tickets,
    socketAdmission,
    visitors: { redeem: async () => null },
  })
  uploadSocketRoutes(app, { ...authentication, uploads, socketAdmission })

  async function createUser(): Promise<string> {
    const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
    await db.insertInto('users').values(user).execute()
    return user.id
  }

  // The server reuses the memory of request bodies, so each request gets a copy.
  const inject = (request: InjectOptions) =>
    app.inject(Buffer.isBuffer(request.payload) ? { ...request, payload: Buffer.from(request.payload) } : request)
  const bearerOf = (userId: string) => ({ authorization: `Bearer ${userId}` })

  function sendChunk(userId: string, { file, uploadId, index, bytes = file.chunks[index], headers = {} }: SentChunk) {
    return inject({
      method: 'POST',
      url: '/api/upload-chunk',
      headers: { ...bearerOf(userId), ...chunkHeaders(file, { uploadId, index }), ...headers },
      payload: bytes ?? Buffer.alloc(0),
    })
  }

  function complete(userId: string, { file, uploadId, summary = {} }: SentSummary) {
    return app.inject({
      method: 'POST',
      url: '/api/complete-chunk-upload',
      headers: bearerOf(userId),
      payload: { ...summaryOf(file), uploadId, ...summary },
    })
  }

  async function listen(): Promise<number> {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as AddressInfo).port
  }

  const sweeping = createSweepStore(db)
  const sweeper = createSweeper({ ...context, store: sweeping })
  const orphanPass = createOrphanSweep({ ...context, store: sweeping })

  return {
    ...stage,
    app,
    sweeping,
    sweep: () => sweeper.run(new AbortController().signal),
    runOrphanPass: () => orphanPass.run(new AbortController().signal),
    bearerOf,
    log,
    /** Starts to listen on a real socket and returns the port. */
    listen,
    /** Starts a chunk request over a real connection; the caller sends the body. */
    async beginChunk(userId: string, { file, uploadId, index, headers = {} }: Omit<SentChunk, 'bytes'>) {
      const sent = { ...bearerOf(userId), ...chunkHeaders(file, { uploadId, index }), ...headers }
      return beginRequest(await listen(), { method: 'POST', path: '/api/upload-chunk', headers: sent })
    },
    bus,
    tickets,
    /** Users whose auth sessions are watched because of an open socket. */
    watchedUsers,
    createUser,
    activityOf: (userId: string) => context.listActivity(userId, activityLimits.perAccount),
    volumes,
    bytesFolder,
    events,
    limits,
    sendChunk,
    complete,
    call: (userId: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD', url: string, more: object = {}) =>
      inject({ method, url, headers: bearerOf(userId), ...more }),
    share: async (userId: string, fileId: string, { file, shareKey, shareProof }: SentShare) =>
      app.inject({
        method: 'POST',
        url: `/api/file/${fileId}/share-zk`,
        headers: bearerOf(userId),
        payload: { shareEncryptedFileKey: await file.wrap('share', shareKey), shareProof },
      }),
    /** Uploads a file and returns its id. */
    async store(userId: string, file: TestFile, headers: Readonly<Record<string, string>> = {}): Promise<string> {
      const uploadId = randomUploadId()
      for (const index of file.chunks.keys()) await sendChunk(userId, { file, uploadId, index, headers })
      return (await complete(userId, { file, uploadId })).json().fileId
    },
  }
}

/** Runs the test on a file server. */
export const onFileServer = defineFileServerTests(onAnyDatabase)
/** The same on both databases, for tests of stores. */
export const onFileServerWithBothDatabases = defineFileServerTests(onBothDatabases)

function defineFileServerTests(define: typeof onBothDatabases) {
  return (title: string, body: (server: FileServer) => Promise<void>, options: FileServerOptions = {}): void => {
    define(title, async (stage) => {
      const server = await startFileServer(stage, options)
      try {
        await body(server)
      } finally {
        server.app.server.closeAllConnections()
        await server.app.close()
      }
    })
  }
}

export type FileServer = Awaited<ReturnType<typeof startFileServer>>

interface SentChunk {
  readonly file: TestFile
  readonly uploadId: string
  readonly index: number
  readonly bytes?: Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface SentSummary {
  readonly file: TestFile
  readonly uploadId: string
  readonly summary?: object
}

interface SentShare {
  readonly file: TestFile
  readonly shareKey: Uint8Array
  readonly shareProof?: string
}

interface HttpRequestInput {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Starts a request over its own connection. */
export function beginRequest(port: number, { method, path, headers }: HttpRequestInput) {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
  })
  answer.catch(() => undefined)
  const body = async (): Promise<Buffer> => Buffer.concat(await (await answer).toArray())
  return {
    request,
    answer,
    body,
    status: async (): Promise<number> => (await answer).statusCode ?? 0,
    json: async () => JSON.parse((await body()).toString()),
  }
}

/** Polls until the condition is true. After two minutes it throws an error with the source text of the condition. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Timed out waiting for ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Lists the stored and incoming objects of a volume folder, without probe files. */
export function storedObjects(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return paths.filter((path) => /(\/\d+|incoming\/(?!probe-).+)$/.test(path))
  } catch (error) {
    // A subfolder was removed while it was being read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return storedObjects(folder)
    throw error
  }
}

export const randomUploadId = (): string => randomBytes(16).toString('base64url')

/** The headers that a browser sends with a chunk. */
export const chunkHeaders = (file: TestFile, { uploadId, index }: { uploadId: string; index: number }) => ({
  'content-type': 'application/octet-stream',
  'x-upload-id': uploadId,
  'x-chunk-index': String(index),
  'x-file-name': file.name,
  'x-encrypted-file-key': file.envelope,
  'x-chunk-size': String(file.chunkBytes),
})

/** The body that completes an upload. */
export const summaryOf = (file: TestFile) => ({
  fileName: file.name,
  encryptedFileKey: file.envelope,
  totalChunks: file.chunks.length,
  chunkSize: file.chunkBytes,
})
