import { useEffect } from 'react'

/** Names the browser's tab for as long as the screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
