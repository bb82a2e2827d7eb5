import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, type Theme } from './theme.ts'

/** The chosen theme and the way to choose another; every user of the hook follows. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(watchTheme, () => readTheme(document.documentElement))
  return [theme, chooseTheme]
}

function chooseTheme(theme: Theme): void {
  applyTheme(theme, document.documentElement, localStorage)
}

function watchTheme(notify: () => void): () => void {
  const observer = new MutationObserver(notify)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
