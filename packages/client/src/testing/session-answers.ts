import type { Session } from '@sallyport/contract/session-shapes'
import { toBase64url } from '@sallyport/crypto'
import { createCaller } from '../call.ts'

export const sessionId = '00000000-0000-4000-8000-000000000001'
export const ownParticipantId = '00000000-0000-4000-8000-0000000000a1'
const participantToken = 'T'.repeat(43)

/** A session in the form of the server's answers. */
export const sessionAnswer = (overrides: Partial<Session> = {}): Session => ({
  id: sessionId,
  is_creator: true,
  key_mode: 'pin2',
  key_share: toBase64url(new Uint8Array(32).fill(7)),
  earlier_key_shares: [],
  link_check: null,
  created_at: 1,
  expires_at: 2,
  default_file_expiration_minutes: 10,
  locked: false,
  approval: false,
  participant_id: ownParticipantId,
  participants: [],
  knocks: [],
  ...overrides,
})

/** A caller that answers every session call with the same session, and the requests that it sent. */
export function createSessionCaller(overrides: Partial<Session>) {
  const sent: string[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push(`${input} ${init?.body ?? ''}`)
    return Response.json({ success: true, session: sessionAnswer(overrides), participant_token: participantToken })
  }
  const call = createCaller({ baseUrl: 'https://files.example.org', getAccessToken: async () => 'token', fetch })
  return { call, sent }
}
