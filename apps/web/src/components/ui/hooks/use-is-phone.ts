import { useSyncExternalStore } from 'react'

const phone = '(width < 48rem)'

/** True below 768 px, where the phone layout is used. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => matchMedia(phone).matches)
}

function subscribeToWidth(notify: () => void): () => void {
  const query = matchMedia(phone)
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}
