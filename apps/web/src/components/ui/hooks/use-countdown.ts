import { useEffect, useState } from 'react'

/** Whole seconds left of a countdown; 0 before the first `start` and after it has elapsed. */
export function useCountdown(milliseconds: number, isStarted = false) {
  const [endsAt, setEndsAt] = useState(() => (isStarted ? performance.now() + milliseconds : 0))
  const [now, setNow] = useState(() => performance.now())
  const isRunning = endsAt > now

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])

  function start() {
    const begin = performance.now()
    setNow(begin)
    setEndsAt(begin + milliseconds)
  }

  return { secondsLeft: Math.max(0, Math.ceil((endsAt - now) / 1000)), start }
}
