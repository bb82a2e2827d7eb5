import type { Observable } from '@sallyport/client/observable'

/** Has the browser ask before the page is left while something is under way, and only then. */
export function guardUnload<Value>(store: Observable<Value>, isUnderWay: (value: Value) => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  const update = () => {
    // Taken off when idle: a page that listens at all is kept out of the browser's back and forward cache.
    if (isUnderWay(store.current())) window.addEventListener('beforeunload', ask)
    else window.removeEventListener('beforeunload', ask)
  }
  update()
  return store.subscribe(update)
}
