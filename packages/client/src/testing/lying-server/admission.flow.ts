import { sessions } from '@sallyport/contract/sessions'
import { createLinkSecret } from '@sallyport/crypto'
import { createCaller } from '../../call.ts'
import { askForAdmission } from '../../sessions/ask-admission.ts'
import { openAdmissionDesk } from '../../sessions/give-admission.ts'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { requestFlow } from './flow.ts'
import { serveSessions } from './honest-sessions.ts'
import type { LyingServer } from './server.ts'

/** Rounds without a change after which nobody waits any longer: the cryptography of a step takes a few of them. */
const idleRounds = 25

/** A member of a private session lets a newcomer in by a code; the server carries what the two say to each other. */
export const admissionFlow = () =>
  requestFlow({
    name: 'admission to a private session by a code',
    calls: coveredCalls['admission to a private session by a code'],
    serve: serveSessions,
    async run(server) {
      const linkSecret = createLinkSecret()
      const [member, newcomer] = [createParticipant(server), createParticipant(server)]
      const opened = await member.enter('create')
      await newcomer.enter('join')
      const place = { origin: server.origin, sessionId: opened ?? 'none' }
      const desk = openAdmissionDesk({ relay: member.relay, linkSecret, ...place })
      const asking = askForAdmission({ relay: newcomer.relay, ...place })
      let received: Uint8Array | null = null
      void asking.linkSecret.then((secret) => {
        received = secret
      })

      const codes: string[] = []
      let before = ''
      for (let idle = 0; idle < idleRounds && received === null; idle += 1) {
        await member.catchUp()
        await newcomer.catchUp()
        const [knocking] = desk.current()
        if (knocking && codes.length === 0) {
          const admitting = await orNull(() => desk.admit(knocking))
          if (admitting) codes.push(admitting.code)
        }
        const [code] = codes
        if (code !== undefined) await orNull(() => asking.enterCode(code))
        const now = [asking.current(), desk.current().length, code, member.heard(), newcomer.heard()].join()
        if (now !== before) idle = 0
        before = now
      }
      desk.stop()
      asking.stop()
      const isOther = received !== null && String(received) !== String(linkSecret)
      return {
        secrets: {
          'the secret of the link': linkSecret,
          ...Object.fromEntries(codes.map((code) => ['the code', code])),
        },
        violations: isOther ? ['a newcomer took a secret that no member gave'] : [],
        isComplete: received !== null,
      }
    },
  })

function createParticipant({ fetch, origin: baseUrl }: LyingServer) {
  const call = createCaller({ baseUrl, fetch, accessToken: async () => 'token' })
  const listeners = new Set<(from: string, body: string) => void>()
  let params = { id: '11111111-1111-4111-8111-111111111111' }
  let headers = { 'x-participant-token': '' }
  let since = 0
  return {
    async enter(how: 'create' | 'join'): Promise<string | null> {
      const pin = { session_pin: '427391' }
      const entered = await orNull(() =>
        how === 'create'
          ? call(sessions.create, { body: { ...pin, key_mode: 'secret' } })
          : call(sessions.join, { body: pin }),
      )
      if (!entered) return null
      params = { id: entered.session.id }
      headers = { 'x-participant-token': entered.participant_token }
      return params.id
    },
    relay: {
      send: (body: string) => orNull(() => call(sessions.admit, { params, headers, body: { body } })),
      subscribe(listener: (from: string, body: string) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    /** How many pieces have come so far. */
    heard: () => since,
    async catchUp(): Promise<void> {
      const query = { since: String(since) }
      const answer = await orNull(() => call(sessions.admissions, { params, headers, query }))
      for (const { seq, participant_id: from, body } of answer?.admissions ?? []) {
        if (seq <= since) continue
        since = seq
        for (const listener of [...listeners]) listener(from, body)
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}
