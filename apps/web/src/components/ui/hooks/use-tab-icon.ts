import { useEffect } from 'react'

/** Replaces the favicon while `address` is not null. */
export function useTabIcon(url: string | null): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link || url === null) return
    const original = link.getAttribute('href') ?? ''
    link.setAttribute('href', url)
    return () => link.setAttribute('href', original)
  }, [url])
}
