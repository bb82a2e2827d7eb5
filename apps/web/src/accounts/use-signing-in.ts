import { ApiError } from '@sallyport/client/errors'
import { loginSuccessMs } from '@sallyport/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { signInWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'
import { loadEnter } from './load-enter.ts'
import { pause } from './pause.ts'

interface Failure {
  readonly message: string
  /** The address has not been confirmed, which another mail can help with. */
  readonly isUnconfirmed: boolean
  /** The person may agree to a weaker profile. */
  readonly hasWeaker?: boolean
}

export type SigningIn =
  | { readonly step: 'idle' | 'busy' | 'done' }
  | { readonly step: 'second-factor'; readonly pass: () => void; readonly giveUp: () => void }
  | ({ readonly step: 'failed' } & Failure)

interface Given {
  readonly typed: string
  readonly password: string
  readonly remember: boolean
  readonly mayUseWeaker?: boolean
}

/** The person turned back at the second step: nothing to tell them. */
const gaveUp = new Error('The second step was given up')

/** Signs in and says how far that has come; while a code is wanted, whoever shows it passes the code's page along. */
export function useSigningIn() {
  const { gate, enter } = useAccounts()
  const [signingIn, setSigningIn] = useState<SigningIn>({ step: 'idle' })
  const turnBack = useRef<() => void>(undefined)

  // Whoever leaves the page half signed in does not stay so.
  useEffect(() => () => turnBack.current?.(), [])

  function passSecondFactor(): Promise<void> {
    return new Promise((resolve, reject) => {
      turnBack.current = () => reject(gaveUp)
      setSigningIn({ step: 'second-factor', pass: resolve, giveUp: () => reject(gaveUp) })
    })
  }

  async function begin(given: Given): Promise<void> {
    setSigningIn({ step: 'busy' })
    try {
      await gate.whileEntering(async () => {
        const { signIn } = await loadEnter()
        const { upgrade } = await signIn(enter, { ...given, passSecondFactor })
        if (upgrade) gate.offerUpgrade(upgrade)
        else gate.closeUpgrade()
        setSigningIn({ step: 'done' })
        await pause(loginSuccessMs)
      })
    } catch (error) {
      if (isOverLicence(error)) gate.offerUpgrade(offerFor(error))
      setSigningIn(error === gaveUp ? { step: 'idle' } : { step: 'failed', ...describe(error) })
    } finally {
      turnBack.current = undefined
    }
  }

  return { signingIn, begin }
}

const isOverLicence = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'TRIAL_EXPIRED' || error.code === 'LICENSE_EXPIRED')

const offerFor = ({ code, message }: ApiError) => ({
  isPersistent: false,
  isTrialOver: code === 'TRIAL_EXPIRED',
  message,
})

function describe(error: unknown): Failure {
  const isUnconfirmed = error instanceof ApiError && /email not confirmed/i.test(error.message)
  if (isUnconfirmed) return { message: signInWords.notConfirmed, isUnconfirmed }
  const isRefused = error instanceof ApiError && error.status === 401
  return {
    message: speak(error, isRefused ? signInWords.refused : signInWords.failed),
    isUnconfirmed: error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED',
    hasWeaker: error instanceof Error && 'code' in error && error.code === 'WEAKER_PROFILE',
  }
}
