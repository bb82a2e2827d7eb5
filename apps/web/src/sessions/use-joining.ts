import { sessionLimits } from '@sallyport/contract/limits'
import { useRef, useState } from 'react'
import { sessionWords } from '#/words/sessions.ts'
import { troubleOfPin } from './pin-rules.ts'
import { useSessions } from './sessions-context.ts'
import { sayEntering } from './troubles.ts'

type Joining =
  | { readonly step: 'idle' }
  | { readonly step: 'busy' }
  /** Somebody inside has to let them in, and sees the same digits. */
  | { readonly step: 'waiting'; readonly code: string }
  | { readonly step: 'failed'; readonly message: string }

interface Wish {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
}

/** The way into a session, over the wait to be let in where its creator wants to be asked. */
export function useJoining() {
  const { join } = useSessions()
  const [joining, setJoining] = useState<Joining>({ step: 'idle' })
  const [pinTrouble, setPinTrouble] = useState<string | null>(null)
  const stop = useRef<AbortController>(null)

  async function tryUntilLetIn(wish: Wish, signal: AbortSignal): Promise<void> {
    const { readKnock } = await import('./ways.ts')
    const end = Date.now() + sessionLimits.knockMs
    for (let knock: string | undefined; ; ) {
      try {
        return await join({ ...wish, signal, ...(knock !== undefined && { knock }) })
      } catch (error) {
        const asked = readKnock(error)
        if (asked === null) throw error
        if (Date.now() > end) throw new Error(sessionWords.waitedInVain, { cause: error })
        knock = asked.knock
        setJoining({ step: 'waiting', code: asked.code })
        await new Promise((resolve) => setTimeout(resolve, sessionLimits.knockEveryMs))
        signal.throwIfAborted()
      }
    }
  }

  async function begin(wish: Wish): Promise<void> {
    const trouble = troubleOfPin(wish.pin)
    setPinTrouble(trouble)
    if (trouble !== null) return
    stop.current?.abort()
    const stopping = new AbortController()
    stop.current = stopping
    setJoining({ step: 'busy' })
    try {
      await tryUntilLetIn(wish, stopping.signal)
      setJoining({ step: 'idle' })
    } catch (error) {
      if (stopping.signal.aborted) setJoining({ step: 'idle' })
      else setJoining({ step: 'failed', message: sayEntering(error, sessionWords.joinFailed) })
    }
  }

  return {
    joining,
    pinTrouble,
    begin,
    cancel: () => stop.current?.abort(),
    /** What was wrong is not wrong any more once it is edited. */
    edited() {
      setPinTrouble(null)
      if (joining.step === 'failed') setJoining({ step: 'idle' })
    },
  }
}
