import type { WebSocket } from 'ws'

interface Parts {
  readonly seeAll: (participantIds: readonly string[]) => Promise<void>
  readonly announcePeers: (sessionId: string) => void
  readonly onError: (error: Error) => void
}

interface Attendant {
  readonly sessionId: string
  readonly participantId: string
}

const everyMs = 15_000

/** Keeps those present whose sockets are open, and tells the others when one of them comes back. */
export function createPresence({ seeAll, announcePeers, onError }: Parts) {
  const open = new Map<string, number>()

  async function see({ sessionId, participantId }: Attendant): Promise<void> {
    await seeAll([participantId])
    announcePeers(sessionId)
  }

  return {
    attend(socket: WebSocket, attendant: Attendant): void {
      const { participantId } = attendant
      const count = open.get(participantId) ?? 0
      open.set(participantId, count + 1)
      if (count === 0) see(attendant).catch(onError)
      socket.once('close', () => {
        const left = (open.get(participantId) ?? 1) - 1
        if (left > 0) open.set(participantId, left)
        else open.delete(participantId)
      })
    },

    job: {
      name: 'presence in sessions',
      everyMs,
      run: (): Promise<void> => seeAll([...open.keys()]),
    },
  }
}

export type Presence = ReturnType<typeof createPresence>
