import { useSyncExternalStore } from 'react'

const phone = '(width < 48rem)'

/** True below 768 px, where the screens for phones are shown. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(watchWidth, () => matchMedia(phone).matches)
}

function watchWidth(notify: () => void): () => void {
  const query = matchMedia(phone)
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}
