import { createContext } from 'react'
import { useObservable } from '#/lib/use-observable.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import type { CurrentSession } from './room/current-session.ts'
import type { SessionController, SessionState } from './room/session-controller.ts'

const SessionsContext = createContext<SessionController | null>(null)

export const SessionsProvider = SessionsContext.Provider
export const useSessions = (): SessionController => useRequiredContext(SessionsContext)

export const useSessionState = (): SessionState => useObservable(useSessions())

const CurrentSessionContext = createContext<CurrentSession | null>(null)

export const CurrentSessionProvider = CurrentSessionContext.Provider
/** The session that is shown. */
export const useCurrentSession = (): CurrentSession => useRequiredContext(CurrentSessionContext)

export const useSession = () => useObservable(useCurrentSession().session)
