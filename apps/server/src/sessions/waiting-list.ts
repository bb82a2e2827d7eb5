import { randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import { type AppError, refuse } from '../errors.ts'
import { widerBlocks } from '../http/address.ts'
import type { PinGuard } from '../limits/pin-guard.ts'
import type { AnnounceToSession } from '../live/announce.ts'
import { hashOfToken } from '../token-hash.ts'
import type { JoinRequest, JoinRequests } from './join-requests.ts'
import type { KnocksStore } from './knocks.store.ts'
import type { SessionRecord } from './session-records.store.ts'
import type { SessionsStore } from './sessions.store.ts'

interface Parts {
  readonly knocks: KnocksStore
  readonly sessions: SessionsStore
  readonly requests: JoinRequests
  readonly guard: Pick<PinGuard, 'hashAddress'>
  readonly announceToSession: AnnounceToSession
  readonly onError: (error: Error) => void
  readonly now: () => number
}

const waitFor = (request: JoinRequest): AppError => refuse('APPROVAL_REQUIRED', { details: { ...request } })

/** Those who wait until the creator of a session lets them in. */
export function createWaitingList({ knocks, sessions, requests, guard, announceToSession, onError, now }: Parts) {
  async function add({ knock, code }: JoinRequest, sessionId: string, address: string): Promise<boolean> {
    const wide = widerBlocks(address).at(-1)?.block
    // A whole office or school may be behind one IPv4 address.
    const most = wide === undefined ? sessionLimits.waitingKnocksPerAddress : sessionLimits.waitingKnocksPerBlock
    const block = { blockHash: guard.hashAddress(sessionId, wide ?? address), most }
    const entry = { id: randomUUIDv7(), sessionId, code, tokenHash: hashOfToken(knock), block }
    const isAdded = await knocks.add(entry, now())
    if (isAdded) announceToSession(sessionId, { type: 'session.knocks' })
    return isAdded
  }

  return {
    /** Asks the creator, and answers the error that tells the caller how to ask again. */
    async ask({ id }: SessionRecord, address: string): Promise<AppError> {
      const request = requests.make()
      return (await add(request, id, address)) ? waitFor(request) : refuse('RATE_LIMITED')
    },

    /**
     * The same where the caller must not learn whether there is a session (null): it is asked after the answer, so that
     * the time does not tell either.
     */
    askConcealed(session: SessionRecord | null, address: string): AppError {
      const request = requests.make()
      if (session) setImmediate(() => void add(request, session.id, address).catch(onError))
      return waitFor(request)
    },

    /**
     * The session whose creator has let the holder of this token in; null for a token that is none. Throws while the
     * creator has not decided, and where there is nothing to decide on.
     */
    async answered(token: string): Promise<SessionRecord | null> {
      const request = requests.read(token)
      if (!request) return null
      const knock = await knocks.find(hashOfToken(token), now())
      const session = await sessions.find(knock?.sessionId ?? '', now())
      if (!knock || !session || knock.state === 'waiting') throw waitFor(request)
      if (knock.state === 'denied') throw refuse('APPROVAL_DENIED')
      return session
    },

    /** False when the token was used before. */
    useUp: (token: string): Promise<boolean> => knocks.take(hashOfToken(token)),
  }
}

export type WaitingList = ReturnType<typeof createWaitingList>
