import { useEffect } from 'react'

/** What the browser's tab says: the screen's own title, unless there is news. */
export const titles: { screen: string; news: readonly { readonly text: string }[] } = {
  screen: document.title,
  news: [],
}

export function writeTitle(): void {
  document.title = titles.news.at(-1)?.text ?? titles.screen
}

/** Names the browser's tab for as long as the screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title
    writeTitle()
  }, [title])
}
