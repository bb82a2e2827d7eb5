import { serverClock } from '@sallyport/browser/server-clock'
import { startTransition, useCallback, useState } from 'react'
import { useRefresh } from './use-now.ts'

/**
 * The server's time of the last tick, at an interval and whenever the page becomes visible. It is the same between two ticks, so
 * that memoized rows are rendered only when it changes, and then without blocking input.
 */
export function useTick(intervalMs: number): number {
  const [tick, setTick] = useState(() => serverClock.now())
  const refresh = useCallback(() => startTransition(() => setTick(serverClock.now())), [])
  useRefresh(refresh, intervalMs)
  return tick
}
