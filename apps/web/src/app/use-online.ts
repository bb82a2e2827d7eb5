import { useSyncExternalStore } from 'react'

export function useOnline(): boolean {
  return useSyncExternalStore(watch, () => navigator.onLine)
}

function watch(notify: () => void): () => void {
  const listening = new AbortController()
  addEventListener('online', notify, { signal: listening.signal })
  addEventListener('offline', notify, { signal: listening.signal })
  return () => listening.abort()
}
