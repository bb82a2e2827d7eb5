import { useState } from 'react'

interface Work {
  readonly isBusy: boolean
  /** Why it failed, in words for the person. */
  readonly failure: string | null
  /** Shows words of its own, or takes back what is shown. */
  readonly setFailure: (failure: string | null) => void
  /** Does nothing while earlier work is under way. False when the work failed. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>
}

/** Work that somebody has asked for and waits for, one piece at a time. */
export function useWork(sayFailure: (error: unknown) => string): Work {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function run(work: () => Promise<void>): Promise<boolean> {
    if (isBusy) return true
    setBusy(true)
    setFailure(null)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(sayFailure(error))
      return false
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, failure, setFailure, run }
}
