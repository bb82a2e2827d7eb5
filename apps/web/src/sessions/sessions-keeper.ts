import type { Call, Connection } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { SessionError } from '@sallyport/client/sessions/session-error'
import type { QueryClient } from '@tanstack/react-query'
import {
  type ActiveSession,
  forgetActiveSession,
  hasActiveSession,
  keepActiveSession,
  readActiveSession,
} from './active-session.ts'
import type { LivedRoom } from './enter-room.ts'
import type { Ending, Room } from './room.ts'

/** What somebody is told who is not in a session any more. */
export interface Parting {
  readonly ending: Ending
  readonly pin: string
  /** By somebody who may come back. */
  readonly mayRejoin: boolean
  /** Uploads that the end has cut off. */
  readonly uploadsCut: number
}

export type Whereabouts =
  | { readonly phase: 'outside'; readonly parting: Parting | null }
  | { readonly phase: 'restoring' }
  | { readonly phase: 'inside'; readonly room: Room }

interface Wish {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  readonly knock?: string
  readonly signal?: AbortSignal
}

/** Which session this page is in, whatever screen is shown. */
export interface SessionsKeeper extends Observable<Whereabouts> {
  readonly create: (choice: { readonly isPrivate: boolean }) => Promise<void>
  readonly join: (wish: Wish) => Promise<void>
  /** Goes back into the session that this browser was in; does nothing without one. */
  readonly restore: () => Promise<void>
  readonly leave: () => Promise<void>
  /** What was said about the last session has been read. */
  readonly forgetParting: () => void
}

interface Deps {
  readonly call: Call
  readonly connection: Connection
  readonly queries: QueryClient
  readonly places: { readonly local: Storage; readonly tab: Storage }
  readonly origin: string
}

const outside: Whereabouts = { phase: 'outside', parting: null }
const loadWays = () => import('./ways.ts')

/** Light enough for the landing page: what works in a session is loaded when somebody enters one. */
export function createSessionsKeeper({ call, connection, queries, places, origin }: Deps): SessionsKeeper {
  const state = createSubject<Whereabouts>(hasActiveSession(places) ? { phase: 'restoring' } : outside)
  let lived: LivedRoom | null = null
  let restoring: Promise<void> | null = null

  async function enter(entered: Entered): Promise<void> {
    const { enterRoom, encodeSecret } = await loadWays()
    const keep = (linkSecret: Uint8Array<ArrayBuffer> | null) =>
      keepActiveSession(places, {
        sessionId: entered.session.id,
        sessionPin: entered.pin,
        keyMode: entered.keyMode,
        participantToken: entered.participantToken,
        linkSecret: encodeSecret(linkSecret),
        senderId: entered.senderId,
      })
    lived?.stop()
    keep(entered.linkSecret)
    let endedEarly: Ending | null = null
    lived = await enterRoom({
      entered,
      call,
      connection,
      queries,
      origin,
      onEnded: (ending) => {
        if (lived) end(ending)
        else endedEarly = ending
      },
      onUnlocked: keep,
    })
    state.set({ phase: 'inside', room: lived })
    if (endedEarly) end(endedEarly)
  }

  function end(ending: Ending): void {
    const room = lived
    if (!room) return
    lived = null
    const uploadsCut = room.stop()
    forgetActiveSession(places)
    const mayRejoin = ending === 'left' && !room.session.current().is_creator && room.keyMode !== 'secret'
    state.set({ phase: 'outside', parting: { ending, pin: room.pin, mayRejoin, uploadsCut } })
  }

  async function goBack(active: ActiveSession): Promise<void> {
    const { reenter } = await loadWays()
    try {
      await enter(await reenter(call, active))
    } catch (error) {
      if (error instanceof ApiError) forgetActiveSession(places)
      // The stored session stays until its end was read: its link secret may be the only copy.
      const parting = { ending: 'refused', pin: active.sessionPin, mayRejoin: false, uploadsCut: 0 } as const
      state.set(error instanceof SessionError ? { phase: 'outside', parting } : outside)
    }
  }

  return {
    current: state.current,
    subscribe: state.subscribe,
    async create({ isPrivate }) {
      const { createSession, defaultMinutes } = await loadWays()
      await enter(await createSession(call, { isPrivate, expirationMinutes: defaultMinutes }))
    },
    async join(wish) {
      const { joinSession } = await loadWays()
      await enter(await joinSession(call, wish))
    },
    restore() {
      const active = readActiveSession(places)
      if (lived || !active) {
        if (!lived && state.current().phase === 'restoring') state.set(outside)
        return Promise.resolve()
      }
      restoring ??= goBack(active).finally(() => {
        restoring = null
      })
      return restoring
    },
    async leave() {
      const room = lived
      if (!room) return
      // Told before the page forgets who it was; whether it arrives changes nothing here.
      const told = room.leave().catch(() => undefined)
      end('left')
      await told
    },
    forgetParting() {
      const now = state.current()
      if (now.phase !== 'outside') return
      if (now.parting?.ending === 'refused') forgetActiveSession(places)
      state.set(outside)
    },
  }
}
