import type { AddressInfo } from 'node:net'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { smallestRecordBytes } from '@sallyport/crypto'
import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { mountFiles } from '../../app/mount-files.ts'
import { newUser } from '../../modules/auth/users/new-user.ts'
import { createSweepStore } from '../../modules/files/cleanup/sweep.store.ts'
import { createEndedSessionsSweep, createSweeper } from '../../modules/files/cleanup/sweeper.ts'
import { createUploadsStore } from '../../modules/files/uploads/uploads.store.ts'
import { sessionFileRoutes } from '../../modules/sessions/files/session-files.routes.ts'
import { sessionMessageRoutes } from '../../modules/sessions/messages/session-messages.routes.ts'
import { createSessionLive } from '../../modules/sessions/session-live.ts'
import { createSessionServices } from '../../modules/sessions/session-services.ts'
import { createSessionStores } from '../../modules/sessions/session-stores.store.ts'
import { sessionRoutes } from '../../modules/sessions/sessions.routes.ts'
import { createApp } from '../../platform/http/app.ts'
import { createPinFailuresStore } from '../../platform/rate-limit/pin-failures.store.ts'
import { createPinGuard } from '../../platform/rate-limit/pin-guard.ts'
import type { ResourceLimits } from '../../platform/rate-limit/resources.ts'
import { createAuthSessionMonitor } from '../../platform/realtime/auth-session-monitor.ts'
import { liveRoutes } from '../../platform/realtime/live.routes.ts'
import { createOnlineAccounts } from '../../platform/realtime/online-accounts.ts'
import { createSocketAdmission } from '../../platform/realtime/socket-admission.ts'
import { sealFile, type TestFile } from '../clients/sealed-file.ts'
import { createSealedMessage } from '../clients/sealed-message.ts'
import { onAnyDatabase, onBothDatabases, type Stage } from '../engines/databases.ts'
import { chunkHeaders, randomUploadId } from './file-server.ts'
import { createTestContext, ownOrigin } from './test-context.ts'

interface SessionServerOptions {
  readonly strict?: boolean
  readonly storageBytes?: number
  /** Overrides of the resource limits. */
  readonly limitOverrides?: Partial<ResourceLimits>
}

let pinCount = 0
/** Returns a PIN that no other test of this file uses. */
export function nextPin(): string {
  pinCount += 1
  return String(234_567 + 1373 * pinCount)
}

type SessionCredentials = {
  readonly token?: string
  readonly pin?: string
  readonly bearer?: string
  readonly address?: string
}

/** Starts a server with only sessions and their files. */
async function startSessionServer(
  stage: Stage,
  { strict = true, storageBytes = 2 ** 30, limitOverrides = {} }: SessionServerOptions = {},
) {
  const { db, now, folder } = stage
  const log: string[] = []
  const { context } = await createTestContext(stage, {
    log,
    environment: { STRICT: strict ? 'on' : 'off', VOLUMES: `${folder}/bytes`, TRUSTED_PROXIES: '127.0.0.1' },
    resourceLimits: { ...resourceLimits, ...limitOverrides },
  })
  const { secrets, volumes, resources } = context
  const accountQueries = {
    storageLimitOf: async () => storageBytes,
    expirationMinutesOf: async () => 60,
    isOnTrial: async () => false,
  }
  const app = await createApp({
    ...context,
    findAccount: async (userId) => ({
      userId,
      authSessionId: userId,
      email: '',
      mfaPending: false,
      recoveredAt: null,
    }),
    requireLicence: async () => undefined,
  })
  const uploads = mountFiles(app, context, { uploadsStore: createUploadsStore(db), accountQueries })
  const pinFailures: boolean[] = []
  const guard = createPinGuard({
    ...context,
    store: createPinFailuresStore(db),
    secret: secrets.pin,
    onFailure: (_address, isOver) => void pinFailures.push(isOver),
  })
  const sweepDeps = { ...context, store: createSweepStore(db) }
  const sessions = createSessionServices({
    ...context,
    ...accountQueries,
    stores: createSessionStores(db),
    secret: secrets.session,
    guard,
    uploads,
    sweepEnded: createEndedSessionsSweep(sweepDeps),
  })
  const tickets = context.createTickets('live')
  const socketAdmission = createSocketAdmission({
    ...context,
    tickets,
    monitorAuthSession: createAuthSessionMonitor({ ...context, filterValid: async (ids) => ids }).watch,
  })
  sessionRoutes(app, { ...context, ...sessions })
  sessionMessageRoutes(app, { ...context, ...sessions })
  sessionFileRoutes(app, { ...context, ...sessions })
  const visitors = createSessionLive({ ...context, ...sessions, socketAdmission })
  liveRoutes(app, { online: createOnlineAccounts(context), ...context, tickets, socketAdmission, visitors })
  const sweeper = createSweeper(sweepDeps)
  const run = (job: { run(signal: AbortSignal): Promise<unknown> }) => job.run(new AbortController().signal)

  const headersOf = ({ token, pin, bearer, address = '203.0.113.9' }: SessionCredentials) => ({
    'x-forwarded-for': address,
    ...(token !== undefined && { 'x-participant-token': token }),
    ...(pin !== undefined && { 'x-session-pin': pin }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  })

  async function call(
    method: InjectOptions['method'],
    url: string,
    credentials: SessionCredentials = {},
    payload?: object | Buffer,
  ) {
    const isBytes = Buffer.isBuffer(payload)
    const answer = await app.inject({
      method: method ?? 'GET',
      url,
      headers: { ...headersOf(credentials), ...(isBytes && { 'content-type': 'application/octet-stream' }) },
      ...(payload !== undefined && { payload: isBytes ? Buffer.from(payload) : payload }),
    })
    return answer
  }

  const post = (url: string, payload: object, credentials: SessionCredentials = {}) =>
    call('POST', url, credentials, payload)

  async function createUser(): Promise<string> {
    const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
    await db.insertInto('users').values(user).execute()
    return user.id
  }

  /** Creates a user and a session. */
  async function createSession(body: object = {}) {
    const userId = await createUser()
    const pin = nextPin()
    const answer = await post('/api/sessions', { session_pin: pin, key_mode: 'pin2', ...body }, { bearer: userId })
    const { session, participant_token: token } = answer.json()
    return { userId, pin, token: token as string, session, id: session?.id as string, bearer: { bearer: userId } }
  }

  /** Joins a session without an account. */
  async function joinAsGuest(pin: string, address?: string) {
    const credentials = address === undefined ? {} : { address }
    const answer = (await post('/api/sessions/join', { session_pin: pin }, credentials)).json()
    return { token: answer.participant_token as string, session: answer.session, id: answer.session?.participant_id }
  }

  function sendChunk(
    sessionId: string,
    credentials: SessionCredentials,
    { file, uploadId, index }: { file: TestFile; uploadId: string; index: number },
    extraHeaders = {},
  ) {
    return app.inject({
      method: 'POST',
      url: `/api/sessions/${sessionId}/upload-chunk`,
      headers: { ...headersOf(credentials), ...chunkHeaders(file, { uploadId, index }), ...extraHeaders },
      payload: Buffer.from(file.chunks[index] ?? Buffer.alloc(0)),
    })
  }

  const completeUpload = (
    sessionId: string,
    credentials: SessionCredentials,
    { file, uploadId }: { file: TestFile; uploadId: string },
  ) =>
    post(
      `/api/sessions/${sessionId}/complete-upload`,
      {
        uploadId,
        fileName: file.name,
        encryptedFileKey: file.envelope,
        totalChunks: file.chunks.length,
        chunkSize: file.chunkBytes,
      },
      credentials,
    )

  async function storeFile(
    sessionId: string,
    credentials: SessionCredentials,
    file: TestFile,
    extraHeaders = {},
  ): Promise<string> {
    const uploadId = randomUploadId()
    for (const index of file.chunks.keys())
      await sendChunk(sessionId, credentials, { file, uploadId, index }, extraHeaders)
    return (await completeUpload(sessionId, credentials, { file, uploadId })).json().fileId
  }

  async function send(sessionId: string, credentials: SessionCredentials, text?: string) {
    const sealed = await createSealedMessage({
      contextId: sessionId,
      kind: 'session',
      ...(text !== undefined && { text }),
    })
    const body = { message_text: sealed.encryptedMessage, encrypted_key: sealed.encryptedKey }
    return post(`/api/sessions/${sessionId}/messages`, body, credentials)
  }

  /** Opens the live channel of a session over a real socket, with a new ticket or the given one. */
  async function openLiveSocket(sessionId: string, credentials: SessionCredentials, givenTicket?: string) {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const ticket = givenTicket ?? (await post(`/api/sessions/${sessionId}/tickets`, {}, credentials)).json().ticket
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live?ticket=${ticket}`, {
      origin: ownOrigin,
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
    pinFailures,
    guard,
    sessions,
    resources,
    call,
    post,
    get: (url: string, credentials: SessionCredentials = {}) => call('GET', url, credentials),
    put: (url: string, payload: object, credentials: SessionCredentials = {}) => call('PUT', url, credentials, payload),
    remove: (url: string, credentials: SessionCredentials = {}) => call('DELETE', url, credentials),
    createUser,
    createSession,
    joinAsGuest,
    join: (body: object, credentials: SessionCredentials = {}) => post('/api/sessions/join', body, credentials),
    send,
    openLiveSocket,
    sendChunk,
    completeUpload,
    storeFile,
    sweep: () => run(sweeper),
    closeEnded: () => run(sessions.sessionSweeper),
  }
}

export type SessionServer = Awaited<ReturnType<typeof startSessionServer>>

/** Runs the test on a session server. */
export const onSessionServer = defineSessionServerTests(onAnyDatabase)
/** The same on both databases, for tests of stores. */
export const onSessionServerWithBothDatabases = defineSessionServerTests(onBothDatabases)

function defineSessionServerTests(define: typeof onBothDatabases) {
  return (title: string, body: (server: SessionServer) => Promise<void>, options: SessionServerOptions = {}): void => {
    define(title, async (stage) => {
      const server = await startSessionServer(stage, options)
      try {
        await body(server)
      } finally {
        server.app.server.closeAllConnections()
        await server.app.close()
      }
    })
  }
}

/** Seals a random file for a session as a browser does. */
export const sealSessionFile = (plainBytes: number, root?: Uint8Array): Promise<TestFile> =>
  sealFile({ plainBytes, kind: 'session', chunkBytes: smallestRecordBytes, ...(root && { rootKey: root }) })
