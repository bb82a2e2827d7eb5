import { serverClock } from '@sallyport/browser/server-clock'
import { useEffect, useReducer } from 'react'

/** The server's time, refreshed at an interval and whenever the page becomes visible. */
export function useNow(intervalMs: number): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useRefresh(refresh, intervalMs)
  return serverClock.now()
}

// Not a module of its own, which would cost each first visit of a share link its frame.
/** Calls a function that never changes, at an interval and whenever the page becomes visible. */
export function useRefresh(refresh: () => void, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(refresh, intervalMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [refresh, intervalMs])
}
