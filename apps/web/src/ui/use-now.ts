import { useEffect, useReducer } from 'react'

/** The time now; looks again every so many milliseconds, and whenever the page comes back into view. */
export function useNow(everyMs: number): number {
  const [, look] = useReducer((looks: number) => looks + 1, 0)

  useEffect(() => {
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [everyMs])

  return Date.now()
}
