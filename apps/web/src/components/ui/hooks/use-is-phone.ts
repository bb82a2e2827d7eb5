import { useSyncExternalStore } from 'react'

let query: MediaQueryList | undefined

/** One query for all components: a list has thousands of them. */
function phoneQuery(): MediaQueryList {
  query ??= matchMedia('(width < 48rem)')
  return query
}

/** True below 768 px, where the phone layout is used. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribeToWidth, () => phoneQuery().matches)

function subscribeToWidth(notify: () => void): () => void {
  phoneQuery().addEventListener('change', notify)
  return () => phoneQuery().removeEventListener('change', notify)
}
