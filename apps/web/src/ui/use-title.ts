import { useEffect } from 'react'

const titles: { screen: string; news: readonly { readonly text: string }[] } = { screen: document.title, news: [] }

function write(): void {
  document.title = titles.news.at(-1)?.text ?? titles.screen
}

/** Names the browser's tab for as long as the screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title
    write()
  }, [title])
}

/** Tells something in place of the screen's own title, whatever screen is shown; null gives that back. The last to tell is heard. */
export function useTitleNews(news: string | null): void {
  useEffect(() => {
    if (news === null) return
    const told = { text: news }
    titles.news = [...titles.news, told]
    write()
    return () => {
      titles.news = titles.news.filter((one) => one !== told)
      write()
    }
  }, [news])
}
