import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { smallestRecordBytes } from '@sallyport/crypto'
import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { newUser } from '../auth/users/new-user.ts'
import { openVolumes } from '../blobs/volumes.ts'
import { createLocalBus } from '../bus/bus.ts'
import { fileRoutes } from '../files/files.routes.ts'
import { createFiles } from '../files/files.service.ts'
import { createFilesStore } from '../files/files.store.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../http/logger.ts'
import { createEndedSessionsSweep, createSweeper } from '../jobs/sweeper.ts'
import { createSweepingStore } from '../jobs/sweeping.store.ts'
import { createLocalAttempts } from '../limits/attempts.ts'
import { createListSlots } from '../limits/list-slots.ts'
import { createPinFailuresStore } from '../limits/pin-failures.store.ts'
import { createPinGuard } from '../limits/pin-guard.ts'
import { createLocalTurns } from '../limits/turns.ts'
import { announceOver, announceToSessionOver } from '../live/announce.ts'
import { createEndedWatch } from '../live/ended-watch.ts'
import { liveRoutes } from '../live/live.routes.ts'
import { isOwnOrigin } from '../live/own-origin.ts'
import { createSocketDoor } from '../live/socket-door.ts'
import { createLocalShelf, ticketsOn } from '../live/tickets.ts'
import { createResources, type ResourceLimits } from '../resources/resources.ts'
import { allSessionRoutes } from '../sessions/all-sessions.routes.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import { createSessionListening } from '../sessions/session-listening.ts'
import { createSessionStores } from '../sessions/session-stores.store.ts'
import { uploadRoutes } from '../uploads/uploads.routes.ts'
import { createUploads } from '../uploads/uploads.service.ts'
import { createUploadsStore } from '../uploads/uploads.store.ts'
import { onBothDatabases, type Stage } from './databases.ts'
import { sealFile, type TestFile } from './sealed-file.ts'
import { aSealedMessage } from './sealed-message.ts'
import { anUploadId, chunkHeaders } from './storing-server.ts'

interface Setting {
  readonly strict?: boolean
  readonly storageBytes?: number
  /** Other bounds of the process than usual. */
  readonly bounds?: Partial<ResourceLimits>
}

let drawn = 0
/** A PIN that no other test of this file uses. */
export function aPin(): string {
  drawn += 1
  return String(234_567 + 1373 * drawn)
}

type Show = { readonly token?: string; readonly pin?: string; readonly bearer?: string; readonly address?: string }

/** A server with sessions and the files in them, and nothing else. */
async function startSessions(stage: Stage, { strict = true, storageBytes = 2 ** 30, bounds = {} }: Setting = {}) {
  const { db, now, folder } = stage
  const log: string[] = []
  const logger = createLogger('info', { write: (line: string) => void log.push(line) })
  const bus = createLocalBus()
  const secrets = { pin: randomBytes(32), session: randomBytes(32) }
  const volumes = await openVolumes({ folders: [`${folder}/bytes`] })
  const attempts = createLocalAttempts(now)
  const publicUrl = new URL('http://sallyport.test')
  const resources = createResources({ ...resourceLimits, ...bounds })
  const announcing = { announce: announceOver(bus), announceToSession: announceToSessionOver(bus) }
  const app = await createApp({
    logger,
    findAccount: async (userId) => ({
      userId,
      signInId: userId,
      email: '',
      secondFactorPending: false,
      recoveredAt: null,
    }),
    demandLicence: async () => undefined,
    trustedProxies: ['127.0.0.1'],
    publicUrl,
    operatorToken: undefined,
    resources,
  })
  const uploads = createUploads({
    store: createUploadsStore(db),
    volumes,
    ...announcing,
    now,
    strict,
    storageLimitOf: async () => storageBytes,
    expirationMinutesOf: async () => 60,
  })
  uploadRoutes(app, { uploads, attempts })
  fileRoutes(app, {
    files: createFiles({ store: createFilesStore(db), volumes, announce: announcing.announce, now }),
    volumes,
    attempts,
    listSlots: createListSlots(),
    strict,
  })
  const budget: boolean[] = []
  const guard = createPinGuard({
    store: createPinFailuresStore(db),
    attempts,
    turns: createLocalTurns(),
    secret: secrets.pin,
    now,
    onFailure: (isOver) => void budget.push(isOver),
  })
  const quiet = createLogger('silent')
  const sweeping = { store: createSweepingStore(db), volumes, log: quiet }
  const openTickets = ticketsOn(createLocalShelf(now), now)
  const opened = openSessions({
    stores: createSessionStores(db),
    secret: secrets.session,
    guard,
    attempts,
    uploads,
    listSlots: createListSlots(),
    storageLimitOf: async () => storageBytes,
    volumes,
    bus,
    openTickets,
    sweepEnded: createEndedSessionsSweep(sweeping),
    now,
    strict,
    log: logger,
    monotonic: () => 0,
  })
  const tickets = openTickets('live')
  const door = createSocketDoor({
    tickets,
    bus,
    resources,
    watch: createEndedWatch({ liveAmong: async (ids) => ids, bus }).watch,
    isOwnOrigin: (origin, host) => isOwnOrigin(publicUrl, origin, host),
  })
  allSessionRoutes(app, { opened, volumes, strict })
  liveRoutes(app, { tickets, bus, door, visitors: createSessionListening({ ...opened, door, bus }) })
  const sweeper = createSweeper({ ...sweeping, ...announcing, now, monotonic: now })
  const run = (job: { run(signal: AbortSignal): Promise<void> }) => job.run(new AbortController().signal)

  const headersOf = ({ token, pin, bearer, address = '203.0.113.9' }: Show) => ({
    'x-forwarded-for': address,
    ...(token !== undefined && { 'x-participant-token': token }),
    ...(pin !== undefined && { 'x-session-pin': pin }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  })

  async function call(method: InjectOptions['method'], url: string, show: Show = {}, payload?: object | Buffer) {
    const isBytes = Buffer.isBuffer(payload)
    const answer = await app.inject({
      method: method ?? 'GET',
      url,
      headers: { ...headersOf(show), ...(isBytes && { 'content-type': 'application/octet-stream' }) },
      ...(payload !== undefined && { payload: isBytes ? Buffer.from(payload) : payload }),
    })
    return answer
  }

  const post = (url: string, payload: object, show: Show = {}) => call('POST', url, show, payload)

  async function aUser(): Promise<string> {
    const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
    await db.insertInto('users').values(user).execute()
    return user.id
  }

  /** Somebody with an account who has opened a session. */
  async function aSession(body: object = {}) {
    const userId = await aUser()
    const pin = aPin()
    const answer = await post('/api/sessions', { session_pin: pin, key_mode: 'pin2', ...body }, { bearer: userId })
    const { session, participant_token: token } = answer.json()
    return { userId, pin, token: token as string, session, id: session?.id as string, bearer: { bearer: userId } }
  }

  /** Somebody without an account who has joined. */
  async function aGuest(pin: string, address?: string) {
    const show = address === undefined ? {} : { address }
    const answer = (await post('/api/sessions/join', { session_pin: pin }, show)).json()
    return { token: answer.participant_token as string, session: answer.session, id: answer.session?.participant_id }
  }

  function sendChunk(
    sessionId: string,
    show: Show,
    { file, uploadId, index }: { file: TestFile; uploadId: string; index: number },
    more = {},
  ) {
    return app.inject({
      method: 'POST',
      url: `/api/sessions/${sessionId}/upload-chunk`,
      headers: { ...headersOf(show), ...chunkHeaders(file, { uploadId, index }), ...more },
      payload: Buffer.from(file.chunks[index] ?? Buffer.alloc(0)),
    })
  }

  const completeUpload = (sessionId: string, show: Show, { file, uploadId }: { file: TestFile; uploadId: string }) =>
    post(
      `/api/sessions/${sessionId}/complete-upload`,
      {
        uploadId,
        fileName: file.name,
        encryptedFileKey: file.envelope,
        totalChunks: file.chunks.length,
        chunkSize: file.chunkBytes,
      },
      show,
    )

  async function storeFile(sessionId: string, show: Show, file: TestFile, more = {}): Promise<string> {
    const uploadId = anUploadId()
    for (const index of file.chunks.keys()) await sendChunk(sessionId, show, { file, uploadId, index }, more)
    return (await completeUpload(sessionId, show, { file, uploadId })).json().fileId
  }

  async function send(sessionId: string, show: Show, text?: string) {
    const sealed = await aSealedMessage({ contextId: sessionId, kind: 'session', ...(text !== undefined && { text }) })
    const body = { message_text: sealed.encryptedMessage, encrypted_key: sealed.encryptedKey }
    return post(`/api/sessions/${sessionId}/messages`, body, show)
  }

  /** Opens the live channel of a session over a real socket, with a ticket of its own or the one that is given. */
  async function listen(sessionId: string, show: Show, issued?: string) {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const ticket = issued ?? (await post(`/api/sessions/${sessionId}/tickets`, {}, show)).json().ticket
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live?ticket=${ticket}`, {
      origin: 'http://sallyport.test',
    })
    const events: { type: string; [key: string]: unknown }[] = []
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.on('message', (data) => void events.push(JSON.parse(String(data))))
    socket.on('error', () => undefined)
    onTestFinished(() => socket.terminate())
    return { socket, events, closed, ticket }
  }

  return {
    ...stage,
    app,
    log,
    secrets,
    volumes,
    budget,
    guard,
    opened,
    resources,
    call,
    post,
    get: (url: string, show: Show = {}) => call('GET', url, show),
    put: (url: string, payload: object, show: Show = {}) => call('PUT', url, show, payload),
    remove: (url: string, show: Show = {}) => call('DELETE', url, show),
    aUser,
    aSession,
    aGuest,
    join: (body: object, show: Show = {}) => post('/api/sessions/join', body, show),
    send,
    listen,
    sendChunk,
    completeUpload,
    storeFile,
    sweep: () => run(sweeper),
    endOver: () => run(opened.closing),
  }
}

export type SessionServer = Awaited<ReturnType<typeof startSessions>>

/** The same test on a server with sessions over both databases. */
export function onSessionServer(
  title: string,
  body: (server: SessionServer) => Promise<void>,
  setting: Setting = {},
): void {
  onBothDatabases(title, async (stage) => {
    const server = await startSessions(stage, setting)
    try {
      await body(server)
    } finally {
      server.app.server.closeAllConnections()
      await server.app.close()
    }
  })
}

/** A file as a browser seals it for a session. */
export const sealSessionFile = (plainBytes: number, root?: Uint8Array): Promise<TestFile> =>
  sealFile({ plainBytes, kind: 'session', chunkBytes: smallestRecordBytes, ...(root && { accountKey: root }) })
