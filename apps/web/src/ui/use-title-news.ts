import { useEffect } from 'react'
import { titles, writeTitle } from './use-title.ts'

/** Tells something in place of the screen's own title, whatever screen is shown; null gives that back. The last to tell is heard. */
export function useTitleNews(news: string | null): void {
  useEffect(() => {
    if (news === null) return
    const told = { text: news }
    titles.news = [...titles.news, told]
    writeTitle()
    return () => {
      titles.news = titles.news.filter((one) => one !== told)
      writeTitle()
    }
  }, [news])
}
