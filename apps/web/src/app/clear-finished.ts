import { transferLimits } from '@sallyport/contract/limits'
import type { Downloads } from '#/transfers/downloads.ts'

/** Takes finished downloads out of the list once "Saved" has been read, and cancelled ones too. */
export function clearFinished(downloads: Downloads): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function look(): void {
    for (const { id, state } of downloads.current()) {
      if (timers.has(id) || (state.status !== 'done' && state.status !== 'cancelled')) continue
      const shownMs = state.status === 'done' ? transferLimits.uploadCardClearsAfterMs : transferLimits.cancelMessageMs
      timers.set(
        id,
        setTimeout(() => {
          timers.delete(id)
          downloads.dismiss(id)
        }, shownMs),
      )
    }
  }

  look()
  const unsubscribe = downloads.subscribe(look)
  return () => {
    unsubscribe()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
