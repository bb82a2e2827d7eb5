import { createContext, useSyncExternalStore } from 'react'
import { useRequired } from '#/ui/use-required.ts'
import type { Room } from './room.ts'
import type { SessionsKeeper, Whereabouts } from './sessions-keeper.ts'

const SessionsContext = createContext<SessionsKeeper | null>(null)

export const SessionsProvider = SessionsContext.Provider
export const useSessions = (): SessionsKeeper => useRequired(SessionsContext)

export function useWhereabouts(): Whereabouts {
  const { subscribe, current } = useSessions()
  return useSyncExternalStore(subscribe, current)
}

const RoomContext = createContext<Room | null>(null)

export const RoomProvider = RoomContext.Provider
/** The session that is shown. */
export const useRoom = (): Room => useRequired(RoomContext)

export function useSession() {
  const { subscribe, current } = useRoom().session
  return useSyncExternalStore(subscribe, current)
}
