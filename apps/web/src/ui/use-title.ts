import { useEffect } from 'react'

const titles: { screen: string; news: string | null } = { screen: document.title, news: null }

function write(): void {
  document.title = titles.news ?? titles.screen
}

/** Names the browser's tab for as long as the screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    titles.screen = title
    write()
  }, [title])
}

/** Tells something in place of the screen's own title, whatever screen is shown; null gives that back. */
export function useTitleNews(news: string | null): void {
  useEffect(() => {
    titles.news = news
    write()
    return () => {
      titles.news = null
      write()
    }
  }, [news])
}
