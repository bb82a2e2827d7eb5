import { useEffect, useState } from 'react'
import { useTitleOverride } from '#/components/ui/hooks/use-title-override.ts'
import { productName } from '#/strings/product.ts'
import { notify } from './notifications.ts'

/**
 * Returns a function that alerts a user who is on another tab: in the title of this tab until it is shown, and by system
 * notification where it is permitted.
 */
export function useHiddenAlert(tag: string): (text: string) => void {
  const [alert, setAlert] = useState<string | null>(null)
  useTitleOverride(alert === null ? null : `${alert} · ${productName}`)

  useEffect(() => {
    const controller = new AbortController()
    const clearWhenVisible = () => {
      if (!document.hidden) setAlert(null)
    }
    document.addEventListener('visibilitychange', clearWhenVisible, { signal: controller.signal })
    return () => controller.abort()
  }, [])

  return (text) => {
    if (!document.hidden) return
    setAlert(text)
    notify(text, tag)
  }
}
