import type { LiveEvent } from '@sallyport/contract/live'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { ServerContext } from '../../context.ts'
import { participantTopic, sessionTopic } from '../../platform/events/publish.ts'
import type { LiveVisitors } from '../../platform/realtime/live-visitors.ts'
import { startLiveness } from '../../platform/realtime/liveness.ts'
import type { SocketAdmission } from '../../platform/realtime/socket-admission.ts'
import type { SessionTicketHolder } from './session-service-deps.ts'
import type { SessionServices } from './session-services.ts'

interface SessionLiveDeps
  extends Pick<SessionServices, 'tickets' | 'isOpen' | 'isParticipant' | 'presence' | 'onError'>,
    Pick<ServerContext, 'bus'> {
  readonly socketAdmission: SocketAdmission
}

/** Subscribes participants, with or without an account, to their session over the live channel. */
export const createSessionLive = (deps: SessionLiveDeps): LiveVisitors => ({
  async redeem(ticket) {
    const holder = await deps.tickets.redeem(ticket, 'session')
    if (!holder) return null
    return (socket, request) => {
      serveSessionSocket(socket, { ...deps, request, holder }).catch(deps.onError)
    }
  },
})

interface SessionSocketInput extends SessionLiveDeps {
  readonly request: FastifyRequest
  readonly holder: SessionTicketHolder
}

async function serveSessionSocket(socket: WebSocket, input: SessionSocketInput): Promise<void> {
  const { request, holder, socketAdmission, bus, presence, isOpen, isParticipant } = input
  const { sessionId, participantId } = holder
  const queue = socketAdmission.attach(socket, { request, authSession: null })
  const send = (event: LiveEvent): void => {
    queue.send(frameOf(event))
    if (event.type === 'session.closed') socket.close(4001, 'session over')
  }
  const cleanups = [
    bus.subscribe<LiveEvent>(sessionTopic(sessionId), send),
    bus.subscribe<LiveEvent>(participantTopic(participantId), send),
    startLiveness(socket, { bus, send }),
  ]
  socket.once('close', () => {
    for (const stop of cleanups) stop()
  })
  presence.addSocket(socket, { sessionId, participantId })
  if (!(await isOpen(sessionId))) return send({ type: 'session.closed', reason: 'closed' })
  // A participant may have been removed between the ticket and the socket.
  if (!(await isParticipant(participantId))) return send({ type: 'session.closed', reason: 'removed' })
  send({ type: 'ready' })
}

const frames = new WeakMap<LiveEvent, string>()

/** Serializes an event once for all sockets. */
function frameOf(event: LiveEvent): string {
  const frame = frames.get(event) ?? JSON.stringify(event)
  frames.set(event, frame)
  return frame
}
