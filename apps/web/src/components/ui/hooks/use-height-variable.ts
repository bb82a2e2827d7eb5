import { type RefObject, useEffect } from 'react'

/** Publishes an element's height as a CSS variable such as `--dock`; null removes it. */
export function useHeightVariable(element: RefObject<HTMLElement | null>, name: `--${string}` | null): void {
  useEffect(() => {
    const measured = element.current
    const { style } = document.documentElement
    if (!measured || name === null) return
    const observer = new ResizeObserver(() => style.setProperty(name, `${Math.ceil(measured.offsetHeight)}px`))
    observer.observe(measured)
    return () => {
      observer.disconnect()
      style.removeProperty(name)
    }
  }, [element, name])
}
