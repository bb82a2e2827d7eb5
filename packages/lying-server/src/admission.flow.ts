import { createCaller } from '@sallyport/client/call'
import { openAdmissionQueue } from '@sallyport/client/sessions/admission-queue'
import { requestAdmission } from '@sallyport/client/sessions/request-admission'
import { sessions } from '@sallyport/contract/sessions'
import { createLinkSecret } from '@sallyport/crypto'
import { orNull } from './attempt.ts'
import { coveredCalls } from './covered-calls.ts'
import { requestFlow } from './flow.ts'
import { serveSessions } from './honest-sessions.ts'
import type { LyingServer } from './server.ts'

/** Rounds without a change after which the flow ends; the cryptography of one step takes a few rounds. */
const maxIdleRounds = 25

/** A member of a private session admits a newcomer by a code; the server relays their messages. */
export const admissionFlow = () =>
  requestFlow({
    name: 'admission to a private session by a code',
    calls: coveredCalls['admission to a private session by a code'],
    serve: serveSessions,
    async run(server) {
      const linkSecret = createLinkSecret()
      const [member, newcomer] = [createParticipant(server), createParticipant(server)]
      const opened = await member.openOrJoin('create')
      await newcomer.openOrJoin('join')
      const context = { origin: server.origin, sessionId: opened ?? 'none' }
      const queue = openAdmissionQueue({ relay: member.relay, linkSecret, ...context })
      const joining = requestAdmission({ relay: newcomer.relay, ...context })
      let received: Uint8Array | null = null
      void joining.linkSecret.then((secret) => {
        received = secret
      })

      const codes: string[] = []
      let lastProgress = ''
      for (let unchangedRounds = 0; unchangedRounds < maxIdleRounds && received === null; unchangedRounds += 1) {
        await member.poll()
        await newcomer.poll()
        const [request] = queue.current()
        if (request && codes.length === 0) {
          const admission = await orNull(() => queue.admit(request))
          if (admission) codes.push(admission.code)
        }
        const [code] = codes
        if (code !== undefined) await orNull(() => joining.enterCode(code))
        const progress = [
          joining.current(),
          queue.current().length,
          code,
          member.lastSequence(),
          newcomer.lastSequence(),
        ].join()
        if (progress !== lastProgress) unchangedRounds = 0
        lastProgress = progress
      }
      queue.stop()
      joining.stop()
      const isWrongSecret = received !== null && String(received) !== String(linkSecret)
      return {
        secrets: {
          'the link secret': linkSecret,
          ...Object.fromEntries(codes.map((code) => ['the code', code])),
        },
        violations: isWrongSecret ? ['a newcomer accepted a secret that no member sent'] : [],
        isComplete: received !== null,
      }
    },
  })

function createParticipant({ fetch, origin: baseUrl }: LyingServer) {
  const call = createCaller({ baseUrl, fetch, getAccessToken: async () => 'token' })
  const listeners = new Set<(from: string, body: string) => void>()
  let params = { id: '11111111-1111-4111-8111-111111111111' }
  let headers = { 'x-participant-token': '' }
  let since = 0
  return {
    async openOrJoin(action: 'create' | 'join'): Promise<string | null> {
      const pin = { session_pin: '427391' }
      const joined = await orNull(() =>
        action === 'create'
          ? call(sessions.create, { body: { ...pin, key_mode: 'secret' } })
          : call(sessions.join, { body: pin }),
      )
      if (!joined) return null
      params = { id: joined.session.id }
      headers = { 'x-participant-token': joined.participant_token }
      return params.id
    },
    relay: {
      send: (body: string) => orNull(() => call(sessions.admit, { params, headers, body: { body } })),
      subscribe(listener: (from: string, body: string) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    /** The sequence number of the last received message. */
    lastSequence: () => since,
    async poll(): Promise<void> {
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
