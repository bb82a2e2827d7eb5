import { uploadLimits } from '@sallyport/contract/limits'
import { socketLimits } from '@sallyport/contract/server-limits'
import { type UploadSocketServerMessage, uploadSocketPath } from '@sallyport/contract/upload-socket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { ApiError, apiError } from '../../../../errors.ts'
import { reportFault } from '../../../../platform/http/api-errors.ts'
import { bearerToken, type FindAccount } from '../../../../platform/http/caller.ts'
import type { AuthSessionRef } from '../../../../platform/realtime/auth-session-monitor.ts'
import { splitBinaryFrames } from '../../../../platform/realtime/binary-frames.ts'
import type { SocketAdmission } from '../../../../platform/realtime/socket-admission.ts'
import type { UploadService } from '../uploads.service.ts'
import { openSocketSession } from './socket-session.ts'
import { createStallGuard } from './stall-guard.ts'

interface UploadSocketDeps {
  readonly uploads: UploadService
  readonly socketAdmission: SocketAdmission
  readonly findAccount: FindAccount
  /** Throws if the account's licence has expired. */
  readonly requireLicence: (userId: string) => Promise<void>
}

/** Uploads over a WebSocket, for networks that block or cut off requests with long bodies. */
export function uploadSocketRoutes(app: FastifyInstance, deps: UploadSocketDeps): void {
  const closing = new Set<Promise<void>>()
  // Sockets that close with the server may still have uploads to cancel.
  app.addHook('onClose', async () => void (await Promise.all(closing)))

  app.get<{ Querystring: { session?: unknown } }>(
    uploadSocketPath,
    {
      websocket: true,
      config: { outsideContract: 'socket', frameBytes: 2 * socketLimits.frameBytes },
      preValidation: async (request) => {
        const authSession = await authenticateUploader(request, request.query.session, deps)
        deps.socketAdmission.admitKind(request, authSession, { kind: 'uploads', most: socketLimits.uploadsPerAccount })
        deps.socketAdmission.admit(request, authSession, 'uploads')
      },
    },
    (socket, request) => {
      const served = serve(socket, request, deps)
      closing.add(served)
      void served.finally(() => closing.delete(served))
    },
  )
}

/**
 * Authenticates the uploader: the holder of a ticket, or, for a client that can send headers, the bearer of a token who
 * names the same auth session. Both get an error for another user's auth session.
 */
async function authenticateUploader(
  request: FastifyRequest,
  session: unknown,
  deps: UploadSocketDeps,
): Promise<AuthSessionRef> {
  const { socketAdmission, findAccount, requireLicence } = deps
  const token = bearerToken(request.headers.authorization)
  // Browsers cannot set this header, so a client that does is not a page and has no origin.
  if (token === null || request.headers.origin !== undefined) socketAdmission.requireOwnOrigin(request)
  if (token === null) {
    const ticketHolder = await socketAdmission.redeem(session, 'upload')
    if (!ticketHolder) throw apiError('TICKET_INVALID')
    return ticketHolder
  }
  const account = await findAccount(token)
  if (!account) throw apiError('SESSION_EXPIRED')
  if (account.mfaPending) throw apiError('MFA_REQUIRED')
  await requireLicence(account.userId)
  if (session === account.authSessionId) return account
  const holder = await socketAdmission.redeem(session, 'upload')
  if (holder?.userId !== account.userId) throw apiError('FORBIDDEN')
  return account
}

/** Resolves when the socket is closed and its uploads are finished or cancelled. */
async function serve(
  socket: WebSocket,
  request: FastifyRequest,
  { uploads, socketAdmission }: UploadSocketDeps,
): Promise<void> {
  const { account } = request.caller
  if (!account) return
  splitBinaryFrames(request.raw.socket, socketLimits.uploadFrameBytes)
  const queue = socketAdmission.attach(socket, {
    request,
    authSession: account,
    onRevoked: () => session.fail(apiError('SESSION_EXPIRED')),
    provesLifeByMessages: true,
  })
  const send = (answer: UploadSocketServerMessage): void => queue.send(JSON.stringify(answer))
  const session = openSocketSession({
    uploads,
    ownerId: account.userId,
    client: {
      send: send,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      close: ({ status }) => socket.close(status >= 500 ? 1011 : 1008),
    },
    onUnexpectedError(error) {
      if (error instanceof ApiError && error.code === 'NO_SPACE') reportFault(request, error, error)
      else request.log.error({ err: error }, 'upload over a socket failed')
    },
  })
  const stopGuard = guardConnection(socket, request, () =>
    session.fail(apiError('BAD_REQUEST', { text: 'The upload has stalled' })),
  )
  const closed = Promise.withResolvers<void>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) session.handleBytes(toBuffer(data))
    else session.handleMessage(toBuffer(data).toString('utf8'))
  })
  socket.once('close', () => closed.resolve())
  await closed.promise
  stopGuard()
  await session.close()
}

/** Counts all bytes that arrive on the connection. */
function guardConnection(
  socket: WebSocket,
  { raw: { socket: connection } }: FastifyRequest,
  onStall: () => void,
): () => void {
  let seenBytes = connection.bytesRead
  const guard = createStallGuard(onStall)
  const timer = setInterval(() => {
    // A client that is paused by backpressure does not stall.
    guard.count(socket.isPaused ? uploadLimits.stallBytes : connection.bytesRead - seenBytes)
    seenBytes = connection.bytesRead
  }, uploadLimits.stallMs / 10)
  return () => {
    clearInterval(timer)
    guard.stop()
  }
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
