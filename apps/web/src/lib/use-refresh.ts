import { useEffect } from 'react'

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
