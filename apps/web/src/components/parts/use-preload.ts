import { ignore } from '@sallyport/contract/ignore'
import { useEffect } from 'react'
import type { LazyPart } from './lazy-part.tsx'

type Preloadable = Pick<LazyPart<never>, 'preload'>

/** The first screen and what it requests come first. */
const delayMs = 2000

/**
 * Loads the code of parts that may be shown later while the browser has nothing else to do, so that they open at once
 * and without the network. `parts` may not change. Loads nothing for users who save data.
 */
export function usePreload(parts: readonly Preloadable[]): void {
  useEffect(() => {
    if (isSavingData()) return
    const leaving = new AbortController()
    void preloadWhileIdle(parts, leaving.signal)
    return () => leaving.abort()
  }, [parts])
}

async function preloadWhileIdle(parts: readonly Preloadable[], signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  for (const { preload } of parts) {
    await untilIdle()
    if (signal.aborted) return
    await preload().catch((error) => ignore(error, 'it is loaded again when it is shown'))
  }
}

const untilIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve)
  })

const isSavingData = (): boolean => {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
