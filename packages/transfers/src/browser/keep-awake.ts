import type { Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'

/**
 * Holds a screen wake lock while something is active, where the browser supports it, because a sleeping device stops
 * sending.
 */
export function keepAwake<Value>(store: Observable<Value>, isActive: (value: Value) => boolean): () => void {
  let lock: WakeLockSentinel | null = null
  let isRequesting = false

  async function update(): Promise<void> {
    const isWanted = isActive(store.current())
    if (!isWanted) {
      void lock?.release().catch((error) => ignore(error, 'the browser has released it'))
      lock = null
    }
    // A hidden page may not request the lock, and the browser releases it when the page is hidden.
    if (!isWanted || isRequesting || document.hidden || (lock && !lock.released)) return
    isRequesting = true
    lock = await (navigator.wakeLock?.request('screen') ?? Promise.reject()).catch(
      (error) => ignore(error, 'the screen may go dark') ?? null,
    )
    isRequesting = false
    if (!isActive(store.current())) void update()
  }

  const controller = new AbortController()
  document.addEventListener('visibilitychange', () => void update(), { signal: controller.signal })
  const unsubscribe = store.subscribe(() => void update())
  void update()
  return () => {
    controller.abort()
    unsubscribe()
    void lock?.release().catch((error) => ignore(error, 'the browser has released it'))
  }
}
