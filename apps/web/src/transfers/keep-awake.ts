import type { Observable } from '@sallyport/client/observable'

/** Keeps the screen on while something is under way, where the browser can; a sleeping machine sends nothing. */
export function keepAwake<Value>(store: Observable<Value>, isUnderWay: (value: Value) => boolean): () => void {
  let lock: WakeLockSentinel | null = null
  let isAsking = false

  async function update(): Promise<void> {
    const isWanted = isUnderWay(store.current())
    if (!isWanted) {
      void lock?.release().catch(() => undefined)
      lock = null
    }
    // A page that is not seen may not ask, and the browser takes the lock away when it is hidden.
    if (!isWanted || isAsking || document.hidden || (lock && !lock.released)) return
    isAsking = true
    lock = await (navigator.wakeLock?.request('screen') ?? Promise.reject()).catch(() => null)
    isAsking = false
    if (!isUnderWay(store.current())) void update()
  }

  const stopListening = new AbortController()
  document.addEventListener('visibilitychange', () => void update(), { signal: stopListening.signal })
  const unsubscribe = store.subscribe(() => void update())
  void update()
  return () => {
    stopListening.abort()
    unsubscribe()
    void lock?.release().catch(() => undefined)
  }
}
