import { useSyncExternalStore } from 'react'
import { useAccounts } from './accounts-context.ts'
import type { Entrance } from './entrance.ts'

export function useEntrance(): Entrance {
  const { entrance } = useAccounts().gate
  return useSyncExternalStore(entrance.subscribe, entrance.current)
}
