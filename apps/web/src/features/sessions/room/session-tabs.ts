import * as z from 'zod/mini'

/** What makes a tab the same participant as another tab of this browser. */
const SharedParticipant = z.object({
  participantToken: z.string(),
  linkSecret: z.nullable(z.string()),
  senderId: z.string(),
})
export type SharedParticipant = z.output<typeof SharedParticipant>

const Request = z.object({ type: z.literal('participant-requested'), sessionId: z.string(), nonce: z.string() })
const Response = z.object({
  type: z.literal('participant-shared'),
  nonce: z.string(),
  participant: SharedParticipant,
})
const Left = z.object({ type: z.literal('session-left'), sessionId: z.string() })
const Message = z.discriminatedUnion('type', [Request, Response, Left])

/** Opens the BroadcastChannel of this browser. */
export type OpenTabChannel = () => BroadcastChannel

const waitMs = 300

/** Asks the other open tabs of this browser for their participant of a session; null if none is in it. */
export function requestParticipant(sessionId: string, openChannel: OpenTabChannel): Promise<SharedParticipant | null> {
  const channel = openChannel()
  const nonce = crypto.randomUUID()
  return new Promise((resolve) => {
    function finish(participant: SharedParticipant | null) {
      clearTimeout(timer)
      channel.close()
      resolve(participant)
    }
    const timer = setTimeout(() => finish(null), waitMs)
    channel.addEventListener('message', ({ data }) => {
      const message = Message.safeParse(data).data
      if (message?.type === 'participant-shared' && message.nonce === nonce) finish(message.participant)
    })
    channel.postMessage({ type: 'participant-requested', sessionId, nonce } satisfies z.output<typeof Request>)
  })
}

interface SessionTabsInput {
  readonly openChannel: OpenTabChannel
  readonly sessionId: string
  readonly participant: () => SharedParticipant
  /** Called when another tab has left the session. */
  readonly onLeft: () => void
}

export interface SessionTabs {
  /** Tells the other tabs that this browser has left the session. */
  readonly announceLeaving: () => void
  readonly close: () => void
}

/** Shares this tab's participant with the other tabs of this browser until it is closed. */
export function openSessionTabs({ openChannel, sessionId, participant, onLeft }: SessionTabsInput): SessionTabs {
  const channel = openChannel()
  channel.addEventListener('message', ({ data }) => {
    const message = Message.safeParse(data).data
    if (message?.type === 'session-left' && message.sessionId === sessionId) onLeft()
    if (message?.type !== 'participant-requested' || message.sessionId !== sessionId) return
    const { nonce } = message
    channel.postMessage({
      type: 'participant-shared',
      nonce,
      participant: participant(),
    } satisfies z.output<typeof Response>)
  })
  return {
    announceLeaving: () => channel.postMessage({ type: 'session-left', sessionId } satisfies z.output<typeof Left>),
    close: () => channel.close(),
  }
}
