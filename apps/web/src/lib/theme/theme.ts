const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Local-storage key; `public/theme.js` reads the same one before the first paint. */
const themeKey = 'theme'

/** The current theme, as set by `public/theme.js` or the last choice. */
export function readTheme(root: HTMLElement): Theme {
  return themes.find((theme) => theme === root.dataset['theme']) ?? 'system'
}

/** Applies a theme at once and stores it for the next visit; without storage access it lasts until the page is closed. */
export function applyTheme(theme: Theme, root: HTMLElement, storage: Storage): void {
  root.dataset['theme'] = theme
  try {
    if (theme === 'system') storage.removeItem(themeKey)
    else storage.setItem(themeKey, theme)
  } catch {
    return
  }
}
