import { useEffect, useState } from 'react'
import { shellStrings } from '#/strings/shell.ts'

const delayMs = 1000

/** Shown instead of a screen whose code is being loaded; empty at first, because most screens come at once. */
export function LoadingScreen() {
  const [isLate, setIsLate] = useState(false)

  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), delayMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <p role="status" className="px-4 py-16 text-center text-base text-ink-2">
      {isLate ? shellStrings.loadingScreen : ''}
    </p>
  )
}
