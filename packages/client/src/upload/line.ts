import type { Observable } from '../observable.ts'

/** True while something can be sent. */
export type Line = Observable<boolean>

export const alwaysOpen: Line = { current: () => true, subscribe: () => () => undefined }

/** Settles once the line is open; true when that had to be waited for. Rejects with the signal's reason. */
export async function untilOpen(line: Line, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  if (line.current()) return false
  const opened = Promise.withResolvers<void>()
  const unsubscribe = line.subscribe(() => {
    if (line.current()) opened.resolve()
  })
  const giveUp = () => opened.reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    await opened.promise
    return true
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', giveUp)
  }
}

/** Makes an attempt while the line is open. One that the closing line breaks off is made again and counts for nothing. */
export async function whileOpen<T>(
  line: Line,
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    await untilOpen(line, signal)
    const closing = new AbortController()
    const unsubscribe = line.subscribe(() => {
      if (!line.current()) closing.abort(new DOMException('The line closed', 'AbortError'))
    })
    try {
      return await attempt(AbortSignal.any([signal, closing.signal]))
    } catch (error) {
      if (signal.aborted || !closing.signal.aborted) throw error
    } finally {
      unsubscribe()
    }
  }
}
