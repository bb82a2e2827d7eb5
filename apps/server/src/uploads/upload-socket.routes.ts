import { uploadLimits } from '@sallyport/contract/limits'
import { socketLimits } from '@sallyport/contract/server-limits'
import { type UploadSocketAnswer, uploadSocketPath } from '@sallyport/contract/upload-socket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { refuse } from '../errors.ts'
import { bearerToken, type FindAccount } from '../http/caller.ts'
import type { OpenSignIn } from '../live/ended-watch.ts'
import type { SocketDoor } from '../live/socket-door.ts'
import { splitBinaryFrames } from '../resources/binary-frames.ts'
import { openSocketSession } from './socket-session.ts'
import { guardAgainstStall } from './stall-guard.ts'
import type { Uploads } from './uploads.service.ts'

interface Deps {
  readonly uploads: Uploads
  readonly door: SocketDoor
  readonly findAccount: FindAccount
  /** Refuses an account whose licence has ended. */
  readonly demandLicence: (userId: string) => Promise<void>
}

/** Uploads over a socket, for where something on the way refuses or cuts requests with long bodies. */
export function uploadSocketRoutes(app: FastifyInstance, deps: Deps): void {
  const leaving = new Set<Promise<void>>()
  // The last sockets may still have something to take back when the server closes.
  app.addHook('onClose', async () => void (await Promise.all(leaving)))

  app.get<{ Querystring: { session?: unknown } }>(
    uploadSocketPath,
    {
      websocket: true,
      config: { outsideContract: 'socket', frameBytes: 2 * socketLimits.frameBytes },
      preValidation: async (request) => {
        const signIn = await uploaderOf(request, request.query.session, deps)
        deps.door.admitKind(request, signIn, { kind: 'uploads', most: socketLimits.uploadsPerAccount })
        deps.door.admit(request, signIn, 'uploads')
      },
    },
    (socket, request) => {
      const left = serve(socket, request, deps)
      leaving.add(left)
      void left.finally(() => leaving.delete(left))
    },
  )
}

/**
 * Who uploads: the holder of a ticket, or, for a client that can send headers, the bearer of a token who names that very
 * sign-in. Somebody else's is refused to both.
 */
async function uploaderOf(request: FastifyRequest, session: unknown, deps: Deps): Promise<OpenSignIn> {
  const { door, findAccount, demandLicence } = deps
  const token = bearerToken(request.headers.authorization)
  // A page cannot send that header, so whoever does is none and has no origin to show.
  if (token === null || request.headers.origin !== undefined) door.requireOwnOrigin(request)
  if (token === null) {
    const holder = await door.redeem(session, 'upload')
    if (!holder) throw refuse('TICKET_INVALID')
    return holder
  }
  const account = await findAccount(token)
  if (!account) throw refuse('SESSION_EXPIRED')
  if (account.secondFactorPending) throw refuse('MFA_REQUIRED')
  await demandLicence(account.userId)
  if (session === account.signInId) return account
  const holder = await door.redeem(session, 'upload')
  if (holder?.userId !== account.userId) throw refuse('FORBIDDEN')
  return account
}

/** Settles when the socket is closed and nothing of it is left to do. */
async function serve(socket: WebSocket, request: FastifyRequest, { uploads, door }: Deps): Promise<void> {
  const { account } = request.caller
  if (!account) return
  splitBinaryFrames(request.raw.socket, socketLimits.uploadFrameBytes)
  const queue = door.attend(socket, {
    request,
    signIn: account,
    onRevoked: () => session.fail(refuse('SESSION_EXPIRED')),
    provesLifeByMessages: true,
  })
  const say = (answer: UploadSocketAnswer): void => queue.send(JSON.stringify(answer))
  const session = openSocketSession({
    uploads,
    ownerId: account.userId,
    line: {
      tell: say,
      wait: () => socket.pause(),
      goOn: () => socket.resume(),
      close: ({ status }) => socket.close(status >= 500 ? 1011 : 1008),
    },
    onUnforeseen: (error) => request.log.error({ err: error }, 'an upload over a socket failed'),
  })
  const stopGuard = guardLine(socket, request, () =>
    session.fail(refuse('BAD_REQUEST', { text: 'The upload has stalled' })),
  )
  const closed = Promise.withResolvers<void>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) session.take(bytesOf(data))
    else session.hear(bytesOf(data).toString('utf8'))
  })
  socket.once('close', () => closed.resolve())
  await closed.promise
  stopGuard()
  await session.leave()
}

/** What moves is counted as it comes, whatever it is. */
function guardLine(socket: WebSocket, { raw: { socket: line } }: FastifyRequest, cut: () => void): () => void {
  let seenBytes = line.bytesRead
  const guard = guardAgainstStall(cut)
  const look = setInterval(() => {
    // Whoever is made to wait does not stall.
    guard.count(socket.isPaused ? uploadLimits.stallBytes : line.bytesRead - seenBytes)
    seenBytes = line.bytesRead
  }, uploadLimits.stallMs / 10)
  return () => {
    clearInterval(look)
    guard.stop()
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
