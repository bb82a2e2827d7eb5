import { useEffect } from 'react'

/** The document title: the screen's own title unless it is overridden. */
export const titles: { screen: string; overrides: readonly { readonly text: string }[] } = {
  screen: document.title,
  overrides: [],
}

export function writeTitle(): void {
  document.title = titles.overrides.at(-1)?.text ?? titles.screen
}

/** Sets the document title of the current screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title
    writeTitle()
  }, [title])
}
