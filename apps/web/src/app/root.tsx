import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'

/** What every page has in common: where it scrolls to, and where the focus goes when another one is opened. */
export function Root() {
  useFocusOnNewPage()
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus into a page that was reached from another one, so that keyboards and screen readers start there. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
