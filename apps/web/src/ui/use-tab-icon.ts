import { useEffect } from 'react'

/** Puts another picture on the browser's tab for as long as there is one. */
export function useTabIcon(address: string | null): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link || address === null) return
    const own = link.getAttribute('href') ?? ''
    link.setAttribute('href', address)
    return () => link.setAttribute('href', own)
  }, [address])
}
