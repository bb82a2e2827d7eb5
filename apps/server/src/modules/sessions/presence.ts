import type { WebSocket } from 'ws'

interface PresenceDeps {
  readonly markAllSeen: (participantIds: readonly string[]) => Promise<void>
  readonly scheduleParticipantsUpdate: (sessionId: string) => void
  readonly onError: (error: Error) => void
}

interface SessionSocket {
  readonly sessionId: string
  readonly participantId: string
}

const everyMs = 15_000

/** Marks participants with open sockets as present, and publishes the list when one of them returns. */
export function createPresence({ markAllSeen, scheduleParticipantsUpdate, onError }: PresenceDeps) {
  const openSockets = new Map<string, number>()

  async function markSeen({ sessionId, participantId }: SessionSocket): Promise<void> {
    await markAllSeen([participantId])
    scheduleParticipantsUpdate(sessionId)
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
        else openSockets.delete(participantId)
      })
    },

    job: {
      name: 'session presence',
      everyMs,
      run: (): Promise<void> => markAllSeen([...openSockets.keys()]),
    },
  }
}

export type Presence = ReturnType<typeof createPresence>
