import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'

/** Root of every page: restores the scroll position and moves the focus on navigation. */
export function Root() {
  useFocusOnNewPage()
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus into the new page after a navigation, so that keyboards and screen readers start there. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const shownPathname = useRef(pathname)

  useEffect(() => {
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
