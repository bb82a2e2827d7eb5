import { useEffect } from 'react'

/**
 * Reloads the page when another link to it is opened in the same tab. Links that carry their token behind the # differ
 * in nothing else, so that the browser does not load the page again by itself.
 */
export function useReloadOnNewLink(): void {
  useEffect(() => {
    const reload = () => {
      if (location.hash !== '') location.reload()
    }
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
}
