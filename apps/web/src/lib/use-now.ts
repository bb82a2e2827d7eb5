import { serverClock } from '@sallyport/browser/server-clock'
import { useReducer } from 'react'
import { useRefresh } from './use-refresh.ts'

/** The server's time, refreshed at an interval and whenever the page becomes visible. */
export function useNow(intervalMs: number): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useRefresh(refresh, intervalMs)
  return serverClock.now()
}
