import type { KeyMode, Session, SessionFile, SessionMessage } from '@sallyport/contract/session-shapes'
import type { ServerRequest } from './server.ts'

interface Participant {
  readonly id: string
  readonly token: string
  name: string
}

interface OpenSession {
  readonly id: string
  readonly pin: string
  readonly mode: KeyMode
  readonly share: string
  readonly linkCheck: string | null
  readonly participants: Participant[]
  readonly messages: SessionMessage[]
  readonly files: SessionFile[]
  readonly admissions: { seq: number; participant_id: string; body: string; created_at: number }[]
}

type Json = Record<string, unknown>

const day = 86_400_000
const random32 = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The in-memory sessions of an honest server. Returns undefined for calls that are not about sessions. */
export function serveSessions(): (request: ServerRequest) => unknown {
  const sessions = new Map<string, OpenSession>()
  let time = 1_700_000_000_000
  const now = () => (time += 1)

  const toSession = (session: OpenSession, participant: Participant | undefined): Session => ({
    id: session.id,
    is_creator: participant === session.participants[0],
    key_mode: session.mode,
    key_share: session.mode === 'pin' ? null : session.share,
    earlier_key_shares: [],
    link_check: session.linkCheck,
    created_at: time,
    expires_at: time + day,
    participant_id: participant?.id ?? null,
    participants: session.participants.map(({ id, name }, index) => ({
      id,
      participant_name: name,
      is_creator: index === 0,
      present: true,
      joined_at: time,
    })),
    knocks: [],
    default_file_expiration_minutes: 60,
    locked: false,
    approval: false,
  })

  function joinSession(session: OpenSession) {
    const participant = { id: crypto.randomUUID(), token: random32(), name: 'Anonymous' }
    session.participants.push(participant)
    return { success: true, session: toSession(session, participant), participant_token: participant.token }
  }

  function create({ session_pin: pin, key_mode: mode = 'pin', link_check: linkCheck = null }: Json) {
    const session = { id: crypto.randomUUID(), pin, mode, linkCheck, share: random32() } as OpenSession
    const opened = { ...session, participants: [], messages: [], files: [], admissions: [] }
    sessions.set(session.id, opened)
    return joinSession(opened)
  }

  function join({ session_pin: pin }: Json) {
    const session = [...sessions.values()].find((one) => one.pin === pin)
    return session ? joinSession(session) : notFound()
  }

  function send(session: OpenSession, participant: Participant | undefined, sent: Json) {
    const message = {
      id: crypto.randomUUID(),
      content: String(sent['message_text']),
      encrypted_key: String(sent['encrypted_key']),
      participant_name: String(sent['participant_name'] ?? participant?.name ?? 'Anonymous'),
      participant_id: participant?.id ?? null,
      created_at: now(),
      expires_at: time + day,
      ...clientId(sent),
    }
    session.messages.push(message)
    return { success: true, message }
  }

  return ({ name, params, headers, json, url }) => {
    if (name === 'POST /api/sessions') return create(json)
    if (name === 'POST /api/sessions/join') return join(json)
    const session = sessions.get(params['id'] ?? '')
    if (!session) return name.includes('/api/sessions/') ? notFound() : undefined
    const participant = session.participants.find(({ token }) => token === headers.get('x-participant-token'))
    const after = Number(url.searchParams.get('after') ?? url.searchParams.get('since') ?? 0)
    switch (name) {
      case 'GET /api/sessions/:id':
      case 'PUT /api/sessions/:id/settings':
        return { success: true, session: toSession(session, participant) }
      case 'GET /api/sessions/:id/messages':
        return {
          success: true,
          messages: session.messages.filter((message) => message.created_at > after),
          before: null,
          next: null,
        }
      case 'POST /api/sessions/:id/messages':
        return send(session, participant, json)
      case 'PUT /api/sessions/:id/participant':
        if (participant) participant.name = String(json['participant_name'] ?? 'Anonymous')
        return { success: true }
      case 'GET /api/sessions/:id/files':
        return { success: true, files: session.files }
      case 'POST /api/sessions/:id/tickets':
        return { success: true, ticket: 'ticket' }
      case 'POST /api/sessions/:id/admit': {
        const seq = session.admissions.length + 1
        session.admissions.push({
          seq,
          participant_id: participant?.id ?? '',
          body: String(json['body']),
          created_at: now(),
        })
        return { success: true, seq }
      }
      case 'GET /api/sessions/:id/admit':
        return { success: true, admissions: session.admissions.filter(({ seq }) => seq > after) }
      case 'POST /api/sessions/:id/leave':
        return { success: true, closed: participant === session.participants[0] }
      default:
        return { success: true }
    }
  }
}

/** The server adopts a message id that the client generated. */
const clientId = ({ id }: Json) => (typeof id === 'string' ? { id } : {})

const notFound = (): Response =>
  Response.json({ success: false, error: 'Session not found', code: 'SESSION_NOT_FOUND' }, { status: 404 })
