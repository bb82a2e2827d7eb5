import { ApiError } from '@sallyport/client/errors'
import { loginSuccessMs } from '@sallyport/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { useAccounts } from '../accounts-context.ts'
import type { UpgradeOffer } from '../sign-up/upgrade-offer-store.ts'
import { delay } from './delay.ts'
import { loadSignIn } from './load-sign-in.ts'
import type { SignInInput } from './sign-in.ts'

type SignInProgress =
  | { readonly step: 'password' | 'done' }
  | { readonly step: 'second-factor'; readonly complete: () => void; readonly cancel: () => void }

/** The user cancelled two-factor authentication; no error is shown. */
const mfaCancelled = new Error('Two-factor authentication was cancelled')

/** Signs in; `describeSignInError` describes a failure. While the step is `second-factor`, the caller renders the MFA challenge. */
export function useSignIn() {
  const { authController, signInDeps } = useAccounts()
  const [progress, setProgress] = useState<SignInProgress>({ step: 'password' })
  const cancelMfa = useRef<() => void>(undefined)

  // Leaving the page before the second factor is verified cancels the sign-in.
  useEffect(() => () => cancelMfa.current?.(), [])

  function completeMfa(): Promise<void> {
    return new Promise((resolve, reject) => {
      cancelMfa.current = () => reject(mfaCancelled)
      setProgress({ step: 'second-factor', complete: resolve, cancel: () => reject(mfaCancelled) })
    })
  }

  async function begin(input: Omit<SignInInput, 'completeMfa'>): Promise<void> {
    try {
      await authController.whileSigningIn(async () => {
        const { signIn } = await loadSignIn()
        const { upgradeOffer } = await signIn(signInDeps, { ...input, completeMfa })
        if (upgradeOffer) authController.offerUpgrade(upgradeOffer)
        else authController.closeUpgrade()
        setProgress({ step: 'done' })
        await delay(loginSuccessMs)
      })
    } catch (error) {
      if (isLicenceExpired(error)) authController.offerUpgrade(await upgradeOfferFor(error))
      setProgress({ step: 'password' })
      if (error !== mfaCancelled) throw error
    } finally {
      cancelMfa.current = undefined
    }
  }

  return { progress, begin }
}

const isLicenceExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'TRIAL_EXPIRED' || error.code === 'LICENSE_EXPIRED')

async function upgradeOfferFor(error: ApiError): Promise<UpgradeOffer> {
  const { limitedSessionOf } = await loadSignIn()
  const offer = { isPersistent: false, isTrialOver: error.code === 'TRIAL_EXPIRED', message: error.serverMessage }
  return { ...offer, ...limitedSessionOf(error) }
}

interface SignInFailure {
  readonly message: string
  /** The email address is not confirmed; the form offers to send another email. */
  readonly isUnconfirmed: boolean
  /** The user may agree to a weaker profile. */
  readonly hasWeakerProfile?: boolean
}

export function describeSignInError(error: unknown): SignInFailure {
  const isUnconfirmed = error instanceof ApiError && /email not confirmed/i.test(error.serverMessage)
  if (isUnconfirmed) return { message: signInStrings.notConfirmed, isUnconfirmed }
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return { message: signInStrings.noSpace, isUnconfirmed }
  const isUnauthorized = error instanceof ApiError && error.status === 401
  return {
    message: messageFor(error, isUnauthorized ? signInStrings.invalidCredentials : signInStrings.failed),
    isUnconfirmed: error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED',
    hasWeakerProfile: error instanceof Error && 'code' in error && error.code === 'WEAKER_PROFILE',
  }
}
