import type { Observable } from '@sallyport/client/observable'

/** Makes the browser ask before the page is closed while something is active. */
export function guardUnload<Value>(store: Observable<Value>, isActive: (value: Value) => boolean): () => void {
  const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const update = () => {
    // Removed when idle, because a page with a 'beforeunload' listener is excluded from the back/forward cache.
    if (isActive(store.current())) window.addEventListener('beforeunload', confirmUnload)
    else window.removeEventListener('beforeunload', confirmUnload)
  }
  update()
  return store.subscribe(update)
}
