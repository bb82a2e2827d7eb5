import type { Call } from '@sallyport/client/call'
import type { EmailedLinkStatus } from '@sallyport/contract/emailed-links'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Seal } from '#/components/brand/seal.tsx'
import { TaskAlert, TaskButton, TaskPage } from '#/components/brand/task-page.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { ForgotForm } from '#/features/account/sign-in/forgot-form.tsx'
import { redeemBackupCodeWithClient } from '#/features/account/two-factor/backup-codes.ts'
import { type MfaChallengeDeps, SecondFactorChallenge } from '#/features/account/two-factor/mfa-challenge.tsx'
import { useApi } from '#/lib/api/api-context.ts'
import { linkStorageKey } from '#/lib/api/stored-auth-session.ts'
import type { RecoveredAccount } from '#/lib/keys/recover-account.ts'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import { productName } from '#/strings/product.ts'
import { fetchLinkStatus, forgetEmailedLink, useEmailedLink } from '../use-emailed-link.ts'
import { PasswordSet } from './password-set.tsx'
import {
  type AccountKeyStatus,
  fetchAccountKeyStatus,
  fetchInvitation,
  joinInvited,
  type KeyDerivation,
  openRecoveryLink,
  type RecoveryAuthSession,
} from './recovery.ts'
import { isCode, openedBefore, type RecoveryLink, readRecoveryLink } from './recovery-link.ts'
import { SetPasswordForm } from './set-password-form.tsx'

interface SetPasswordPageProps {
  readonly keyDerivation: KeyDerivation
  /** Adopts the auth session of the link in this browser and unlocks the keys. */
  readonly adoptSession: (recovery: RecoveryAuthSession, recovered: RecoveredAccount) => Promise<void>
}

type VerifiedState =
  | { readonly step: 'second-factor'; readonly recovery: RecoveryAuthSession; readonly mfaDeps: MfaChallengeDeps }
  | {
      readonly step: 'form'
      readonly recovery: RecoveryAuthSession
      readonly keyStatus: AccountKeyStatus
      readonly organization: string | null
    }
  | { readonly step: 'done'; readonly lostFiles: number; readonly joined: string | null }

/** Target page of recovery and invitation links: sets a new password. */
export function SetPasswordPage({ keyDerivation, adoptSession }: SetPasswordPageProps) {
  const { call, createEphemeralAuthClient } = useApi()
  const { link, state, setState, continueWith, consume } = useEmailedLink<OpenedLink, VerifiedState>({
    readLink: (url) => readRecoveryLink(url) ?? (sessionStorage.getItem(linkStorageKey) === null ? null : openedBefore),
    invalidMessage: (link) => (link === null ? setPasswordStrings.missing : null),
    getStatus: (link) => getStatus(call, link),
    verify: (link) => verifyLink(createEphemeralAuthClient, link),
    expired: setPasswordStrings.expired,
    failed: setPasswordStrings.unverified,
  })
  useTitle(`${setPasswordStrings.titleForgotten} · ${productName}`)

  const email = link === null || link === openedBefore ? '' : link.email

  function content(): ReactNode {
    switch (state.step) {
      case 'verifying':
        return <VerifyingLink />
      case 'failed':
        return (
          <LinkFailed
            title={state.retry ? setPasswordStrings.unansweredTitle : setPasswordStrings.failedTitle}
            email={email}
            {...state}
          />
        )
      case 'unused':
        return <LinkUnused email={email} onContinue={consume} />
      case 'used':
        return (
          <LinkFailed
            title={setPasswordStrings.usedTitle}
            message={setPasswordStrings.used}
            email={email}
            retry={null}
          />
        )
      case 'second-factor':
        return (
          <SecondFactorChallenge
            deps={state.mfaDeps}
            cancelLabel={setPasswordStrings.toLogin}
            onVerified={() => continueWith(() => formState(state.recovery))}
            onCancel={() => {
              sessionStorage.removeItem(linkStorageKey)
              location.assign('/')
            }}
          />
        )
      case 'form':
        return (
          <SetPasswordForm
            {...state}
            keyDerivation={keyDerivation}
            onSet={async (recovered) => {
              const joined = state.organization === null ? null : await joinInvited(state.recovery)
              await adoptSession(state.recovery, recovered)
              sessionStorage.removeItem(linkStorageKey)
              // A reload must not look for the link again, which has been used.
              history.replaceState(history.state, '', '/dashboard')
              setState({ step: 'done', lostFiles: recovered.lostFiles, joined })
            }}
          />
        )
      case 'done':
        return <PasswordSet lostFiles={state.lostFiles} joined={state.joined} />
    }
  }
  return <TaskPage>{content()}</TaskPage>
}

type CreateAuthClient = ReturnType<typeof useApi>['createEphemeralAuthClient']

type OpenedLink = RecoveryLink | typeof openedBefore | null

async function getStatus(call: Call, link: OpenedLink): Promise<EmailedLinkStatus | 'opened'> {
  if (link === openedBefore) return 'opened'
  if (link === null) return 'expired'
  // A code can only be tried.
  return isCode(link.token) ? 'unused' : fetchLinkStatus(call, link.token)
}

async function verifyLink(createClient: CreateAuthClient, link: OpenedLink): Promise<VerifiedState> {
  if (!link) throw new Error('A link without a token is not verified')
  const provider = await createClient(sessionStorage)
  const recovery = await openRecoveryLink(provider, link)
  forgetEmailedLink()
  if (!recovery.needsMfa) return formState(recovery)
  const mfaDeps: MfaChallengeDeps = {
    provider: async () => provider,
    redeemBackupCode: (code) => redeemBackupCodeWithClient({ call: recovery.call, provider, code }),
  }
  return { step: 'second-factor', recovery, mfaDeps }
}

const formState = async (recovery: RecoveryAuthSession): Promise<VerifiedState> => ({
  step: 'form',
  recovery,
  keyStatus: await fetchAccountKeyStatus(recovery.call),
  organization: await fetchInvitation(recovery.call),
})

function VerifyingLink() {
  return (
    <div role="status" className="text-center">
      <Seal state="waiting" className="mx-auto mb-4" />
      <h1 className="heading text-2xl">{setPasswordStrings.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{setPasswordStrings.verifyingHint}</p>
    </div>
  )
}

interface LinkUnusedProps {
  /** Empty if the link does not contain it. */
  readonly email: string
  readonly onContinue: () => void
}

function LinkUnused({ email, onContinue }: LinkUnusedProps) {
  return (
    <div className="text-center">
      <Seal state="idle" className="mx-auto mb-4" />
      <h1 className="heading text-2xl">{setPasswordStrings.unusedTitle}</h1>
      {email === '' ? null : (
        <p className="mt-1.5 text-sm text-ink-2">
          {setPasswordStrings.account} <bdi className="font-semibold text-ink wrap-anywhere">{email}</bdi>
        </p>
      )}
      <p className="mt-2 text-sm text-ink-2">{setPasswordStrings.unused}</p>
      <TaskButton onClick={onContinue}>{setPasswordStrings.continue}</TaskButton>
    </div>
  )
}

interface LinkFailedProps {
  readonly title: string
  readonly message: string
  /** The address of the link, to which a new one can be sent. */
  readonly email: string
  readonly retry: (() => void) | null
}

function LinkFailed({ title, message, email: emailOfLink, retry }: LinkFailedProps) {
  const [isRequesting, setRequesting] = useState(false)
  const [email, setEmail] = useState(emailOfLink)
  if (isRequesting) return <ForgotForm email={email} onEmailChange={setEmail} />
  return (
    <TaskAlert title={title} details={message}>
      <TaskButton onClick={retry ?? (() => setRequesting(true))}>
        {retry ? setPasswordStrings.tryAgain : setPasswordStrings.newLink}
      </TaskButton>
      <Link to="/#signin" className={classNames(buttonClass('quiet'), 'mt-2.5 w-full')}>
        {setPasswordStrings.toLogin}
      </Link>
    </TaskAlert>
  )
}
