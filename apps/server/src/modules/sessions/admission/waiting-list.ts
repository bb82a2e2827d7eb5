import { randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../../context.ts'
import { type ApiError, apiError } from '../../../errors.ts'
import { widerBlocks } from '../../../platform/http/address.ts'
import type { PinGuard } from '../../../platform/rate-limit/pin-guard.ts'
import { hashToken } from '../../../token-hash.ts'
import type { SessionRecord } from '../session-records.store.ts'
import type { SessionStores } from '../session-stores.store.ts'
import type { JoinRequestToken, JoinRequestTokens } from './join-request-tokens.ts'

interface WaitingListDeps
  extends Pick<SessionStores, 'sessions' | 'joinRequests'>,
    Pick<ServerContext, 'publishToSession' | 'onError' | 'now'> {
  readonly tokens: JoinRequestTokens
  readonly guard: Pick<PinGuard, 'hashAddress'>
}

const approvalRequired = (request: JoinRequestToken): ApiError =>
  apiError('APPROVAL_REQUIRED', { details: { ...request } })

/** The callers who wait until the creator of a session admits them. */
export function createWaitingList(deps: WaitingListDeps) {
  const { joinRequests, sessions, tokens, guard, publishToSession, onError, now } = deps

  async function addRequest({ knock, code }: JoinRequestToken, sessionId: string, address: string): Promise<boolean> {
    const wide = widerBlocks(address).at(-1)?.block
    // A whole office or school can be behind one IPv4 address.
    const max = wide === undefined ? sessionLimits.maxJoinRequestsPerAddress : sessionLimits.maxJoinRequestsPerBlock
    const block = { blockHash: guard.hashAddress(sessionId, wide ?? address), max }
    const entry = { id: randomUUIDv7(), sessionId, code, tokenHash: hashToken(knock), block }
    const isAdded = await joinRequests.add(entry, now())
    if (isAdded) publishToSession(sessionId, { type: 'session.knocks' })
    return isAdded
  }

  return {
    /** Adds a join request and returns the error that tells the caller how to ask again. */
    async requestApproval({ id }: SessionRecord, address: string): Promise<ApiError> {
      const token = tokens.create()
      return (await addRequest(token, id, address)) ? approvalRequired(token) : apiError('RATE_LIMITED')
    },

    /**
     * The same where the caller must not learn whether a session exists (null): the request is added after the
     * response, so that its timing does not reveal it either.
     */
    requestApprovalConcealed(session: SessionRecord | null, address: string): ApiError {
      const token = tokens.create()
      if (session) setImmediate(() => void addRequest(token, session.id, address).catch(onError))
      return approvalRequired(token)
    },

    /**
     * Returns the session whose creator has admitted the holder of this token; null for an invalid token. Throws while
     * the creator has not decided, and when there is nothing to decide.
     */
    async findAdmitted(token: string): Promise<SessionRecord | null> {
      const joinRequest = tokens.parse(token)
      if (!joinRequest) return null
      const record = await joinRequests.find(hashToken(token), now())
      const session = await sessions.find(record?.sessionId ?? '', now())
      if (!record || !session || record.state === 'waiting') throw approvalRequired(joinRequest)
      if (record.state === 'denied') throw apiError('APPROVAL_DENIED')
      return session
    },

    /** False when the token was used before. */
    consume: (token: string): Promise<boolean> => joinRequests.consume(hashToken(token)),
  }
}

export type WaitingList = ReturnType<typeof createWaitingList>
