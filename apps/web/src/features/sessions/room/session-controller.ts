import { loadCode } from '@sallyport/browser/load-code'
import type { Call, Connection } from '@sallyport/client/call'
import { hasCode } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import type { QueryClient } from '@tanstack/react-query'
import type { ManagedSession } from '../joining/start-session.ts'
import {
  type ActiveSession,
  clearActiveSession,
  hasActiveSession,
  readActiveSession,
  saveActiveSession,
} from './active-session.ts'
import type { CurrentSession, SessionEndReason } from './current-session.ts'
import type { OpenTabChannel } from './session-tabs.ts'

/** Describes the session that has just ended. */
export interface SessionEnd {
  readonly reason: SessionEndReason
  readonly pin: string
  /** The name that the user had chosen; empty for none. */
  readonly name: string
  /** Whether the user left and can join again. */
  readonly canRejoin: boolean
  /** The number of uploads that were cancelled. */
  readonly cancelledUploads: number
  /** Whether the user, as its creator, has ended it for everyone. */
  readonly isEndedForAll: boolean
}

export interface WaitingToRejoin {
  readonly pin: string
  readonly knock: string
  readonly code: string
}

export type SessionState =
  | {
      readonly phase: 'outside'
      readonly lastEnd: SessionEnd | null
      /** Set when rejoining has to be approved; the user sees the code and waits. */
      readonly waiting?: WaitingToRejoin
    }
  | { readonly phase: 'restoring' }
  | { readonly phase: 'inside'; readonly session: CurrentSession }

interface SessionJoinInput {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /** How the other participants see the user. */
  readonly name?: string | undefined
  readonly knock?: string | undefined
  readonly signal?: AbortSignal
}

/** Controls which session this page is in, on every screen. */
export interface SessionController extends Observable<SessionState> {
  readonly create: (options: { readonly isPrivate: boolean; readonly name: string }) => Promise<void>
  readonly join: (input: SessionJoinInput) => Promise<void>
  /** Rejoins the stored session; does nothing without one. */
  readonly restore: () => Promise<void>
  /** Rejoins the stored session if this tab was in it before a reload. */
  readonly restoreThisTab: () => Promise<void>
  readonly leave: () => Promise<void>
  /** Dismisses the message about the last session, and stops waiting to rejoin it. */
  readonly dismissLastEnd: () => void
}

interface SessionControllerDeps {
  readonly call: Call
  readonly connection: Connection
  readonly queries: QueryClient
  readonly storages: { readonly local: Storage; readonly tab: Storage }
  readonly origin: string
  /** Shared by the tabs of this browser. */
  readonly openChannel: OpenTabChannel
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
  openChannel,
}: SessionControllerDeps): SessionController {
  const state = createSubject<SessionState>(hasActiveSession(storages) ? { phase: 'restoring' } : outside)
  let current: ManagedSession | null = null
  let restoring: Promise<void> | null = null

  async function enter(entered: JoinedSession, name = ''): Promise<void> {
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
      openChannel,
      name,
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
    const isEndedForAll = reason === 'left' && session.session.current().is_creator
    const canRejoin = reason === 'left' && !isEndedForAll && session.keyMode !== 'secret'
    const name = session.me.current().chosenName ?? ''
    state.set({
      phase: 'outside',
      lastEnd: { reason, pin: session.pin, name, canRejoin, cancelledUploads, isEndedForAll },
    })
  }

  async function rejoin(active: ActiveSession): Promise<void> {
    const { rejoinSession, hasEnded, parseJoinRequest } = await loadOperations()
    try {
      await enter(await rejoinSession(call, active, openChannel))
    } catch (error) {
      if (hasEnded(error)) clearActiveSession(storages)
      const pin = active.sessionPin
      // The stored session is removed only once its message is dismissed, because its link secret may be the only copy.
      const isRefused = hasCode(error, 'KEY_MODE_MISMATCH', 'SESSION_MISMATCH')
      const lastEnd: SessionEnd | null = isRefused
        ? { reason: 'refused', pin, name: '', canRejoin: false, cancelledUploads: 0, isEndedForAll: false }
        : null
      const joinRequest = parseJoinRequest(error)
      state.set({ phase: 'outside', lastEnd, ...(joinRequest && { waiting: { ...joinRequest, pin } }) })
    }
  }

  function restore(): Promise<void> {
    const active = readActiveSession(storages)
    if (current || !active) {
      if (!current && state.current().phase === 'restoring') state.set(outside)
      return Promise.resolve()
    }
    restoring ??= rejoin(active).finally(() => {
      restoring = null
    })
    return restoring
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    async create({ isPrivate, name }) {
      const { createSession, defaultMinutes } = await loadOperations()
      await enter(await createSession(call, { isPrivate, expirationMinutes: defaultMinutes }), name)
    },
    async join(input) {
      const { joinSession } = await loadOperations()
      await enter(await joinSession(call, input), input.name)
    },
    restore,
    async restoreThisTab() {
      if (readActiveSession(storages)?.participantToken) await restore()
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
      if (currentState.waiting || currentState.lastEnd?.reason === 'refused') clearActiveSession(storages)
      state.set(outside)
    },
  }
}
