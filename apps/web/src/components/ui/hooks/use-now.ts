import { useEffect, useReducer } from 'react'

/** The current time, refreshed at an interval and whenever the page becomes visible. */
export function useNow(intervalMs: number): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    const timer = setInterval(refresh, intervalMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [intervalMs])

  return Date.now()
}
