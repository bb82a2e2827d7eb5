const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Local-storage key; `public/theme.js` reads the same one before the first paint. */
const themeKey = 'theme'

/** The theme the page shows now, as `public/theme.js` or the last choice left it. */
export function readTheme(root: HTMLElement): Theme {
  return themes.find((theme) => theme === root.dataset['theme']) ?? 'system'
}

/** Shows a theme at once and keeps it for the next visit; a browser that refuses storage only forgets it. */
export function applyTheme(theme: Theme, root: HTMLElement, storage: Storage): void {
  root.dataset['theme'] = theme
  try {
    if (theme === 'system') storage.removeItem(themeKey)
    else storage.setItem(themeKey, theme)
  } catch {
    return
  }
}
