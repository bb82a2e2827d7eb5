import { sessionLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import type { ServerContext } from '../../context.ts'
import type { SessionService } from './sessions.service.ts'

type PresenceDeps = Pick<ServerContext, 'now' | 'onError'> &
  Pick<SessionService, 'markAllSeen' | 'markAway' | 'publishLapsed' | 'scheduleParticipantsUpdate'>

interface SessionSocket {
  readonly sessionId: string
  readonly participantId: string
}

const everyMs = 15_000

/** Keeps who is present up to date by their open sockets, and publishes the list when one of them comes or goes. */
export function createPresence(deps: PresenceDeps) {
  const { markAllSeen, markAway, publishLapsed, scheduleParticipantsUpdate, onError, now } = deps
  const openSockets = new Map<string, number>()

  async function markSeen({ sessionId, participantId }: SessionSocket): Promise<void> {
    await markAllSeen([participantId])
    scheduleParticipantsUpdate(sessionId)
  }

  /** Waits for a page that reconnects, such as after a reload. */
  function scheduleAway({ sessionId, participantId }: SessionSocket): void {
    const closedAt = now()
    const markUnlessBack = async () => {
      if (openSockets.has(participantId)) return
      await markAway(participantId, closedAt)
      scheduleParticipantsUpdate(sessionId)
    }
    setTimeout(() => void markUnlessBack().catch(onError), sessionLimits.reconnectMs).unref()
  }

  return {
    addSocket(socket: WebSocket, sessionSocket: SessionSocket): void {
      const { participantId } = sessionSocket
      const count = openSockets.get(participantId) ?? 0
      openSockets.set(participantId, count + 1)
      if (count === 0) markSeen(sessionSocket).catch(onError)
      socket.once('close', () => {
        const left = (openSockets.get(participantId) ?? 1) - 1
        if (left > 0) openSockets.set(participantId, left)
        else {
          openSockets.delete(participantId)
          scheduleAway(sessionSocket)
        }
      })
    },

    job: {
      name: 'session presence',
      everyMs,
      async run(): Promise<void> {
        await markAllSeen([...openSockets.keys()])
        await publishLapsed(2 * everyMs)
      },
    },
  }
}
