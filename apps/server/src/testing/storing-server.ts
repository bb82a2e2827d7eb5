import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { LiveEvent } from '@sallyport/contract/live'
import type { InjectOptions } from 'fastify'
import { archiveRoutes } from '../archive/archive.routes.ts'
import { newUser } from '../auth/users/new-user.ts'
import { openVolumes } from '../blobs/volumes.ts'
import { createLocalBus } from '../bus/bus.ts'
import { fileRoutes } from '../files/files.routes.ts'
import { createFiles } from '../files/files.service.ts'
import { createFilesStore } from '../files/files.store.ts'
import { createApp } from '../http/app.ts'
import type { FindAccount } from '../http/caller.ts'
import { createLogger } from '../http/logger.ts'
import { createOrphanPass } from '../jobs/orphans.ts'
import { createSweeper } from '../jobs/sweeper.ts'
import { createSweepingStore } from '../jobs/sweeping.store.ts'
import { createLocalAttempts } from '../limits/attempts.ts'
import { createListSlots } from '../limits/list-slots.ts'
import { liveRoutes } from '../live/live.routes.ts'
import { createSocketDoor } from '../live/socket-door.ts'
import { createLocalShelf, ticketsOn } from '../live/tickets.ts'
import { createResources } from '../resources/resources.ts'
import { createShareClaimsStore } from '../sharing/share-claims.store.ts'
import { createSharesStore } from '../sharing/shares.store.ts'
import { shareRoutes } from '../sharing/sharing.routes.ts'
import { createSharing } from '../sharing/sharing.service.ts'
import { uploadSocketRoutes } from '../uploads/upload-socket.routes.ts'
import { uploadRoutes } from '../uploads/uploads.routes.ts'
import { createUploads } from '../uploads/uploads.service.ts'
import { createUploadsStore } from '../uploads/uploads.store.ts'
import { onBothDatabases, type Stage } from './databases.ts'
import type { TestFile } from './sealed-file.ts'

interface Setting {
  readonly strict?: boolean
  readonly storageBytes?: number
  readonly log?: string[]
  readonly trustedProxies?: readonly string[]
  readonly extendEveryMs?: number
}

/** The one place pages come from as far as the server knows. */
export const ownOrigin = 'http://sallyport.test'

/** A server that stores and shares files and does nothing else; `Bearer <user id>` is a sign-in. */
export async function startStoring(stage: Stage, setting: Setting = {}) {
  const { strict = true, storageBytes = 2 ** 30, log = [], trustedProxies = [], extendEveryMs = 20_000 } = setting
  const { db, now, folder } = stage
  const events: { userId: string; event: LiveEvent }[] = []
  const announce = (userId: string, event: LiveEvent): void => void events.push({ userId, event })
  const announceToSession = () => undefined
  const bytesFolder = join(folder, 'bytes')
  const volumes = await openVolumes({ folders: [bytesFolder] })
  const limits = { storageBytes }
  const findAccount: FindAccount = async (userId) => ({
    userId,
    signInId: userId,
    email: '',
    secondFactorPending: false,
    recoveredAt: null,
  })
  const app = await createApp({
    logger: createLogger('info', { write: (line: string) => void log.push(line) }),
    findAccount,
    demandLicence: async () => undefined,
    trustedProxies,
    publicUrl: new URL(ownOrigin),
    operatorToken: undefined,
  })
  const uploads = createUploads({
    store: createUploadsStore(db),
    volumes,
    announce,
    announceToSession,
    now,
    strict,
    storageLimitOf: async () => limits.storageBytes,
    expirationMinutesOf: async () => 60,
  })
  const attempts = createLocalAttempts(now)
  uploadRoutes(app, { uploads, attempts })
  const bus = createLocalBus()
  const tickets = ticketsOn(createLocalShelf(now), now)('live')
  const watched = new Set<string>()
  const door = createSocketDoor({
    tickets,
    bus,
    resources: createResources(),
    isOwnOrigin: (origin) => origin === ownOrigin,
    watch: ({ userId }) => {
      watched.add(userId)
      return () => void watched.delete(userId)
    },
  })
  liveRoutes(app, { tickets, bus, door, visitors: { redeem: async () => null } })
  uploadSocketRoutes(app, { uploads, door, findAccount, demandLicence: async () => undefined })
  const files = createFiles({ store: createFilesStore(db), volumes, announce, now })
  fileRoutes(app, { files, volumes, attempts, listSlots: createListSlots(), strict })
  archiveRoutes(app, { files, volumes, now })
  const sharing = createSharing({
    store: createSharesStore(db),
    claims: createShareClaimsStore(db),
    secret: randomBytes(32),
    attempts,
    announce,
    now,
    strict,
    onError: () => undefined,
    extendEveryMs,
  })
  shareRoutes(app, { sharing, volumes, strict })

  async function aUser(): Promise<string> {
    const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
    await db.insertInto('users').values(user).execute()
    return user.id
  }

  // The server gives back the memory of what it has stored; a test goes on with its own.
  const inject = (request: InjectOptions) =>
    app.inject(Buffer.isBuffer(request.payload) ? { ...request, payload: Buffer.from(request.payload) } : request)
  const as = (userId: string) => ({ authorization: `Bearer ${userId}` })

  function sendChunk(userId: string, { file, uploadId, index, bytes = file.chunks[index], headers = {} }: SentChunk) {
    return inject({
      method: 'POST',
      url: '/api/upload-chunk',
      headers: { ...as(userId), ...chunkHeaders(file, { uploadId, index }), ...headers },
      payload: bytes ?? Buffer.alloc(0),
    })
  }

  function complete(userId: string, { file, uploadId, summary = {} }: SentSummary) {
    return app.inject({
      method: 'POST',
      url: '/api/complete-chunk-upload',
      headers: as(userId),
      payload: { ...summaryOf(file), uploadId, ...summary },
    })
  }

  async function listen(): Promise<number> {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as AddressInfo).port
  }

  const sweeping = createSweepingStore(db)
  const quiet = createLogger('silent')
  const sweeper = createSweeper({
    store: sweeping,
    volumes,
    announce,
    announceToSession,
    now,
    log: quiet,
    monotonic: now,
  })
  const orphanPass = createOrphanPass({ store: sweeping, volumes, log: quiet })

  return {
    ...stage,
    app,
    sweeping,
    sweep: () => sweeper.run(new AbortController().signal),
    passOrphans: () => orphanPass.run(new AbortController().signal),
    as,
    log,
    /** Begins to listen on a real socket and answers the port. */
    listen,
    /** Begins to send a chunk over a real connection; the body is up to the caller. */
    async beginChunk(userId: string, { file, uploadId, index, headers = {} }: Omit<SentChunk, 'bytes'>) {
      const sent = { ...as(userId), ...chunkHeaders(file, { uploadId, index }), ...headers }
      return beginRequest(await listen(), { method: 'POST', path: '/api/upload-chunk', headers: sent })
    },
    bus,
    tickets,
    /** Accounts whose sign-in is looked at for the sake of an open socket. */
    watched,
    aUser,
    volumes,
    bytesFolder,
    events,
    limits,
    sendChunk,
    complete,
    call: (userId: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD', url: string, more: object = {}) =>
      inject({ method, url, headers: as(userId), ...more }),
    share: async (userId: string, fileId: string, { file, shareKey, shareProof }: SentShare) =>
      app.inject({
        method: 'POST',
        url: `/api/file/${fileId}/share-zk`,
        headers: as(userId),
        payload: { shareEncryptedFileKey: await file.wrap('share', shareKey), shareProof },
      }),
    /** Uploads a whole file and answers its id. */
    async store(userId: string, file: TestFile, headers: Readonly<Record<string, string>> = {}): Promise<string> {
      const uploadId = anUploadId()
      for (const index of file.chunks.keys()) await sendChunk(userId, { file, uploadId, index, headers })
      return (await complete(userId, { file, uploadId })).json().fileId
    },
  }
}

/** The same test on a storing server over both databases. */
export function onStoringServer(
  title: string,
  body: (server: StoringServer) => Promise<void>,
  setting: Setting = {},
): void {
  onBothDatabases(title, async (stage) => {
    const server = await startStoring(stage, setting)
    try {
      await body(server)
    } finally {
      server.app.server.closeAllConnections()
      await server.app.close()
    }
  })
}

export type StoringServer = Awaited<ReturnType<typeof startStoring>>

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

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request over a real connection of its own, with its answer as it comes. */
export function beginRequest(port: number, { method, path, headers }: Request) {
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

/** Asks again and again until the answer is yes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not come to be')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** All objects under a folder of bytes, and what is still on its way there; not what only tries out the disk. */
export function storedObjects(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return paths.filter((path) => /(\/\d+|incoming\/(?!probe-).+)$/.test(path))
  } catch (error) {
    // A folder of it was removed between being listed and being looked into.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return storedObjects(folder)
    throw error
  }
}

export const anUploadId = (): string => randomBytes(16).toString('base64url')

/** The headers a browser sends along with a chunk. */
export const chunkHeaders = (file: TestFile, { uploadId, index }: { uploadId: string; index: number }) => ({
  'content-type': 'application/octet-stream',
  'x-upload-id': uploadId,
  'x-chunk-index': String(index),
  'x-file-name': file.name,
  'x-encrypted-file-key': file.envelope,
  'x-chunk-size': String(file.chunkBytes),
})

const summaryOf = (file: TestFile) => ({
  fileName: file.name,
  encryptedFileKey: file.envelope,
  totalChunks: file.chunks.length,
  chunkSize: file.chunkBytes,
})
