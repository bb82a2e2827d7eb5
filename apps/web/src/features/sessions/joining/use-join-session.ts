import { loadCode } from '@sallyport/browser/load-code'
import { systemClock } from '@sallyport/client/clock'
import { sessionLimits } from '@sallyport/contract/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { WaitingToRejoin } from '../room/session-controller.ts'
import { joinErrorMessage } from '../session-error-messages.ts'
import { useSessionState, useSessions } from '../sessions-context.ts'
import { pinErrorOf } from './pin-rules.ts'

type JoinState =
  | { readonly step: 'idle' }
  | { readonly step: 'busy' }
  /** The creator has to approve and sees the same code. */
  | { readonly step: 'waiting'; readonly code: string }
  | { readonly step: 'failed'; readonly message: string }

interface JoinFormInput {
  readonly pin: string
  /** The token of a join request that is waiting already. */
  readonly knock?: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /** How the other participants see the user; empty for none. */
  readonly name: string
}

/** Joins a session, and waits for approval where its creator requires it. */
export function useJoinSession() {
  const { join, dismissLastEnd } = useSessions()
  const [state, setState] = useState<JoinState>({ step: 'idle' })
  const [pinError, setPinError] = useState<string | null>(null)
  const controllerRef = useRef<AbortController>(null)

  async function joinWithApproval({ knock: pending, ...input }: JoinFormInput, signal: AbortSignal): Promise<void> {
    const { parseJoinRequest } = await loadCode(() => import('../session-operations.ts'))
    const deadline = systemClock.now() + sessionLimits.joinRequestMs
    for (let knock = pending; ; ) {
      try {
        return await join({ ...input, signal, ...(knock !== undefined && { knock }) })
      } catch (error) {
        const joinRequest = parseJoinRequest(error)
        if (joinRequest === null) throw error
        if (systemClock.now() > deadline) throw new UserFacingError(sessionStrings.notAdmitted, { cause: error })
        knock = joinRequest.knock
        setState({ step: 'waiting', code: joinRequest.code })
        await new Promise((resolve) => setTimeout(resolve, sessionLimits.joinRequestPollMs))
        signal.throwIfAborted()
      }
    }
  }

  async function start(input: JoinFormInput): Promise<void> {
    const problem = pinErrorOf(input.pin)
    setPinError(problem)
    if (problem !== null) return
    controllerRef.current?.abort()
    const controller = new AbortController()
    controllerRef.current = controller
    setState({ step: 'busy' })
    try {
      await joinWithApproval(input, controller.signal)
      setState({ step: 'idle' })
    } catch (error) {
      if (controller.signal.aborted) setState({ step: 'idle' })
      else setState({ step: 'failed', message: joinErrorMessage(error, sessionStrings.joinFailed) })
    }
  }

  const sessionState = useSessionState()
  const rejoining = sessionState.phase === 'outside' ? sessionState.waiting : undefined
  const waitToRejoin = useEffectEvent(({ pin, knock, code }: WaitingToRejoin) => {
    void start({ pin, knock, linkSecret: null, name: '' })
    setState({ step: 'waiting', code })
  })
  useEffect(() => {
    if (rejoining) waitToRejoin(rejoining)
  }, [rejoining])

  return {
    state,
    pinError,
    start,
    cancel() {
      controllerRef.current?.abort()
      dismissLastEnd()
    },
    /** Clears errors once the PIN is edited. */
    clearErrors() {
      setPinError(null)
      if (state.step === 'failed') setState({ step: 'idle' })
    },
  }
}
