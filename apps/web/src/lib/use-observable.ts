import type { Observable } from '@sallyport/client/observable'
import { useSyncExternalStore } from 'react'

/** Returns the value of an observable and renders again when it changes. */
export const useObservable = <Value>({ subscribe, current }: Observable<Value>): Value =>
  useSyncExternalStore(subscribe, current)
