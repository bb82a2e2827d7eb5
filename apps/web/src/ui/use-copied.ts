import { useEffect, useRef, useState } from 'react'

/** How long a button says that it has copied, in milliseconds. */
const copiedFor = 2000

/** A flag that `markCopied` raises for two seconds. */
export function useCopied(): { readonly copied: boolean; readonly markCopied: () => void } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  function markCopied() {
    clearTimeout(timer.current)
    setCopied(true)
    timer.current = setTimeout(() => setCopied(false), copiedFor)
  }

  return { copied, markCopied }
}
