import { useEffect, useRef, useState } from 'react'

/** A flag that `show` sets for the given number of milliseconds. */
export function useFlash(milliseconds: number) {
  const [isShown, setShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  function hide() {
    clearTimeout(timer.current)
    setShown(false)
  }

  function show() {
    clearTimeout(timer.current)
    setShown(true)
    timer.current = setTimeout(() => setShown(false), milliseconds)
  }

  return { isShown, show, hide }
}
