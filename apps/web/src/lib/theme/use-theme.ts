import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, type Theme } from './theme.ts'

/** The current theme and a setter; all users of the hook update together. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribeToTheme, () => readTheme(document.documentElement))
  return [theme, setTheme]
}

function setTheme(theme: Theme): void {
  applyTheme(theme, document.documentElement, localStorage)
}

function subscribeToTheme(notify: () => void): () => void {
  const observer = new MutationObserver(notify)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
