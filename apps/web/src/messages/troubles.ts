import { createSubject, type Observable } from '@sallyport/client/observable'
import { chatLimits } from '@sallyport/contract/limits'

/** What went wrong, and what it means for a person where the first line does not say so. */
export interface Trouble {
  readonly line: string
  readonly meaning?: string
}

export interface Troubles extends Observable<Trouble | null> {
  readonly tell: (trouble: Trouble) => void
}

/** The last thing that went wrong, for as long as failures are shown. */
export function createTroubles(): Troubles {
  const told = createSubject<Trouble | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    current: told.current,
    subscribe: told.subscribe,
    tell(trouble) {
      clearTimeout(timer)
      told.set(trouble)
      timer = setTimeout(() => told.set(null), chatLimits.errorShownMs)
    },
  }
}
