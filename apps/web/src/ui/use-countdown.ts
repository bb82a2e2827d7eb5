import { useEffect, useState } from 'react'

/** Whole seconds until a moment that `start` puts so far ahead; 0 once it has come, and before the first start. */
export function useCountdown(milliseconds: number, isStarted = false) {
  const [endsAt, setEndsAt] = useState(() => (isStarted ? Date.now() + milliseconds : 0))
  const [now, setNow] = useState(() => Date.now())
  const isRunning = endsAt > now

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])

  function start() {
    const begin = Date.now()
    setNow(begin)
    setEndsAt(begin + milliseconds)
  }

  return { secondsLeft: Math.max(0, Math.ceil((endsAt - now) / 1000)), start }
}
