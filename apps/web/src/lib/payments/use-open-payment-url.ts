import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** How long a page of another site may take to open before the button can be pressed again. */
const openingMs = 20_000

/**
 * Returns the function that opens what `paymentUrlOf` returned. It resolves when the page of this site is shown again, so
 * that a button which waits for it stays busy until then.
 */
export function useOpenPaymentUrl(): (url: string) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async (url) => (url.startsWith('/') ? navigate(url) : leaveFor(url)), [navigate])
}

/** Opens a page of another site. Resolves if the browser restores this page from its cache, or has not left it. */
function leaveFor(url: string): Promise<void> {
  location.assign(url)
  return new Promise((resolve) => {
    function handlePageShow({ persisted }: PageTransitionEvent) {
      if (persisted) end()
    }
    function end() {
      clearTimeout(timer)
      removeEventListener('pageshow', handlePageShow)
      resolve()
    }
    const timer = setTimeout(end, openingMs)
    addEventListener('pageshow', handlePageShow)
  })
}
