import { useEffect } from 'react'

/** Sets the CSS variable `--keyboard` to the height of the page that the on-screen keyboard covers. */
export function useKeyboardInset(): void {
  useEffect(() => {
    const view = globalThis.visualViewport
    const { style } = document.documentElement
    if (!view) return
    const measure = () => {
      const covered = innerHeight - view.height - view.offsetTop
      style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`)
    }
    measure()
    view.addEventListener('resize', measure)
    view.addEventListener('scroll', measure)
    return () => {
      view.removeEventListener('resize', measure)
      view.removeEventListener('scroll', measure)
      style.removeProperty('--keyboard')
    }
  }, [])
}
