import { useEffect, useState } from 'react'

/** The time, looked at again every so many milliseconds, and whenever the page comes back into view. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)

  useEffect(() => {
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [everyMs])

  return now
}
