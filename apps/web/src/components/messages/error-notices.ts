import { createSubject, type Observable } from '@sallyport/client/observable'
import { chatLimits } from '@sallyport/contract/limits'

/** An error message, with a detail where the title does not explain it. */
export interface ErrorNotice {
  readonly title: string
  readonly detail?: string
}

export interface ErrorNotices extends Observable<ErrorNotice | null> {
  readonly show: (notice: ErrorNotice) => void
}

/** The last error, cleared after the time that errors are shown. */
export function createErrorNotices(): ErrorNotices {
  const latest = createSubject<ErrorNotice | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    current: latest.current,
    subscribe: latest.subscribe,
    show(notice) {
      clearTimeout(timer)
      latest.set(notice)
      timer = setTimeout(() => latest.set(null), chatLimits.errorShownMs)
    },
  }
}
