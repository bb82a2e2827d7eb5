import { useEffect } from 'react'

/** Tells the style sheet as `--keyboard` how much of the page's foot the keyboard on the screen covers. */
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
