import type { Call, Connection } from '@sallyport/client/call'
import { ApiError, hasCode } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import type { QueryClient } from '@tanstack/react-query'
import { loadCode } from '#/lib/load-code.ts'
import type { ManagedSession } from '../joining/start-session.ts'
import {
  type ActiveSession,
  clearActiveSession,
  hasActiveSession,
  readActiveSession,
  saveActiveSession,
} from './active-session.ts'
import type { CurrentSession, SessionEndReason } from './current-session.ts'

/** Describes the session that has just ended. */
export interface SessionEnd {
  readonly reason: SessionEndReason
  readonly pin: string
  /** Whether the user left and can join again. */
  readonly canRejoin: boolean
  /** The number of uploads that were cancelled. */
  readonly cancelledUploads: number
}

export type SessionState =
  | { readonly phase: 'outside'; readonly lastEnd: SessionEnd | null }
  | { readonly phase: 'restoring' }
  | { readonly phase: 'inside'; readonly session: CurrentSession }

interface SessionJoinInput {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  readonly knock?: string
  readonly signal?: AbortSignal
}

/** Controls which session this page is in, on every screen. */
export interface SessionController extends Observable<SessionState> {
  readonly create: (options: { readonly isPrivate: boolean }) => Promise<void>
  readonly join: (input: SessionJoinInput) => Promise<void>
  /** Rejoins the stored session; does nothing without one. */
  readonly restore: () => Promise<void>
  readonly leave: () => Promise<void>
  /** Dismisses the message about the last session. */
  readonly dismissLastEnd: () => void
}

interface SessionControllerDeps {
  readonly call: Call
  readonly connection: Connection
  readonly queries: QueryClient
  readonly storages: { readonly local: Storage; readonly tab: Storage }
  readonly origin: string
}

const outside: SessionState = { phase: 'outside', lastEnd: null }
const loadOperations = () => loadCode(() => import('../session-operations.ts'))

/** Small enough for the landing page: the code of a joined session is loaded on first use. */
export function createSessionController({
  call,
  connection,
  queries,
  storages,
  origin,
}: SessionControllerDeps): SessionController {
  const state = createSubject<SessionState>(hasActiveSession(storages) ? { phase: 'restoring' } : outside)
  let current: ManagedSession | null = null
  let restoring: Promise<void> | null = null

  async function enter(entered: JoinedSession): Promise<void> {
    const { startSession, encodeSecret } = await loadOperations()
    const save = (linkSecret: Uint8Array<ArrayBuffer> | null) =>
      saveActiveSession(storages, {
        sessionId: entered.session.id,
        sessionPin: entered.pin,
        keyMode: entered.keyMode,
        participantToken: entered.participantToken,
        linkSecret: encodeSecret(linkSecret),
        senderId: entered.senderId,
      })
    current?.stop()
    save(entered.linkSecret)
    let earlyEndReason: SessionEndReason | null = null
    current = await startSession({
      entered,
      call,
      connection,
      queries,
      origin,
      onEnded: (reason) => {
        if (current) endSession(reason)
        else earlyEndReason = reason
      },
      onUnlocked: save,
    })
    state.set({ phase: 'inside', session: current })
    if (earlyEndReason) endSession(earlyEndReason)
  }

  function endSession(reason: SessionEndReason): void {
    const session = current
    if (!session) return
    current = null
    const cancelledUploads = session.stop()
    clearActiveSession(storages)
    const canRejoin = reason === 'left' && !session.session.current().is_creator && session.keyMode !== 'secret'
    state.set({ phase: 'outside', lastEnd: { reason, pin: session.pin, canRejoin, cancelledUploads } })
  }

  async function rejoin(active: ActiveSession): Promise<void> {
    const { rejoinSession } = await loadOperations()
    try {
      await enter(await rejoinSession(call, active))
    } catch (error) {
      if (error instanceof ApiError) clearActiveSession(storages)
      // The stored session is removed only once its message is dismissed, because its link secret may be the only copy.
      const lastEnd = { reason: 'refused', pin: active.sessionPin, canRejoin: false, cancelledUploads: 0 } as const
      state.set(hasCode(error, 'KEY_MODE_MISMATCH', 'SESSION_MISMATCH') ? { phase: 'outside', lastEnd } : outside)
    }
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    async create({ isPrivate }) {
      const { createSession, defaultMinutes } = await loadOperations()
      await enter(await createSession(call, { isPrivate, expirationMinutes: defaultMinutes }))
    },
    async join(input) {
      const { joinSession } = await loadOperations()
      await enter(await joinSession(call, input))
    },
    restore() {
      const active = readActiveSession(storages)
      if (current || !active) {
        if (!current && state.current().phase === 'restoring') state.set(outside)
        return Promise.resolve()
      }
      restoring ??= rejoin(active).finally(() => {
        restoring = null
      })
      return restoring
    },
    async leave() {
      const session = current
      if (!session) return
      // Sent before the credentials are dropped. The result is irrelevant here.
      const leaving = session.leave().catch(() => undefined)
      endSession('left')
      await leaving
    },
    dismissLastEnd() {
      const currentState = state.current()
      if (currentState.phase !== 'outside') return
      if (currentState.lastEnd?.reason === 'refused') clearActiveSession(storages)
      state.set(outside)
    },
  }
}
