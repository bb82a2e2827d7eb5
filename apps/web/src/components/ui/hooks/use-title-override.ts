import { useEffect } from 'react'
import { titles, writeTitle } from './use-title.ts'

/** Overrides the title of any screen; null restores it. The most recent override wins. */
export function useTitleOverride(override: string | null): void {
  useEffect(() => {
    if (override === null) return
    const entry = { text: override }
    titles.overrides = [...titles.overrides, entry]
    writeTitle()
    return () => {
      titles.overrides = titles.overrides.filter((other) => other !== entry)
      writeTitle()
    }
  }, [override])
}
