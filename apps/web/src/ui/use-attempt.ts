import { useEffect, useEffectEvent, useRef } from 'react'

interface Attempt<Result> {
  /** Null for no attempt at all; each other number is one. */
  readonly number: number | null
  readonly work: () => Promise<Result>
  readonly onDone: (result: Result) => void
  readonly onFailed: (error: unknown) => void
}

/** Does work that must not be done twice, such as using a link up: once for each attempt, however often effects run. */
export function useAttempt<Result>({ number, work, onDone, onFailed }: Attempt<Result>): void {
  const running = useRef<{ readonly number: number; readonly result: Promise<Result> }>(undefined)
  const begin = useEffectEvent(work)
  const done = useEffectEvent(onDone)
  const failed = useEffectEvent(onFailed)

  useEffect(() => {
    if (number === null) return
    if (running.current?.number !== number) running.current = { number, result: begin() }
    let isCurrent = true
    running.current.result.then(
      (result) => isCurrent && done(result),
      (error: unknown) => isCurrent && failed(error),
    )
    return () => {
      isCurrent = false
    }
  }, [number])
}
