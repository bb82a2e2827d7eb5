import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '#/api/api-context.ts'
import { authCodeOf } from '#/api/auth-words.ts'
import { speak } from '#/api/failure.ts'
import type { StartedAgain } from '#/keys/start-again.ts'
import { EmptyGate } from '#/motifs/gate-pictures.tsx'
import { TaskPage } from '#/motifs/task-page.tsx'
import { redeemBackupCodeOf } from '#/second-factor/backup-codes.ts'
import { SecondFactorChallenge, type SecondFactorWays } from '#/second-factor/challenge.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { useAttempt } from '#/ui/use-attempt.ts'
import { useReloadOnNewLink } from '#/ui/use-reload-on-new-link.ts'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { setPasswordWords } from '#/words/set-password.ts'
import { PasswordSet } from './password-set.tsx'
import { type Deriving, openRecovery, type Recovery, readStakes, type Stakes } from './recovery.ts'
import { type RecoveryLink, readRecoveryLink } from './recovery-link.ts'
import { SetPasswordForm } from './set-password-form.tsx'

interface SetPasswordPageProps {
  readonly deriving: Deriving
  /** Makes the link's sign-in that of this browser, with its keys open. */
  readonly enter: (recovery: Recovery, started: StartedAgain) => Promise<void>
}

type Setting =
  | { readonly step: 'verifying' }
  | { readonly step: 'failed'; readonly message: string; readonly canRetry: boolean }
  | { readonly step: 'second-factor'; readonly recovery: Recovery; readonly ways: SecondFactorWays }
  | { readonly step: 'form'; readonly recovery: Recovery; readonly stakes: Stakes }
  | { readonly step: 'done'; readonly lostFiles: number }

const unusable: Setting = { step: 'failed', message: setPasswordWords.missing, canRetry: false }

/** Where the link out of a recovery mail or an invitation leads: to a password of one's own. */
export function SetPasswordPage({ deriving, enter }: SetPasswordPageProps) {
  const { openPassingProvider } = useApi()
  const [link] = useState(() => readRecoveryLink(location))
  const [attempt, setAttempt] = useState(1)
  const [setting, setSetting] = useState<Setting>(() => (link ? { step: 'verifying' } : unusable))
  useReloadOnNewLink()
  useTitle(`${setPasswordWords.titleForgotten} · ${productName}`)

  useEffect(() => {
    // The link must not lie about in the history of a shared computer.
    history.replaceState(history.state, '', location.pathname)
  }, [])

  useAttempt({
    number: link ? attempt : null,
    work: () => begin(openPassingProvider, link),
    onDone: setSetting,
    onFailed: (error) => setSetting(failureOf(error)),
  })

  function goOn(recovery: Recovery) {
    setSetting({ step: 'verifying' })
    toForm(recovery).then(setSetting, (error: unknown) => setSetting(failureOf(error)))
  }

  function content(): ReactNode {
    switch (setting.step) {
      case 'verifying':
        return <Verifying />
      case 'failed':
        return (
          <Failed
            {...setting}
            onRetry={() => {
              setSetting({ step: 'verifying' })
              setAttempt(attempt + 1)
            }}
          />
        )
      case 'second-factor':
        return (
          <SecondFactorChallenge
            ways={setting.ways}
            giveUpLabel={setPasswordWords.toLogin}
            onPassed={() => goOn(setting.recovery)}
            onGiveUp={() => location.assign('/')}
          />
        )
      case 'form':
        return (
          <SetPasswordForm
            {...setting}
            deriving={deriving}
            onSet={async (started) => {
              await enter(setting.recovery, started)
              setSetting({ step: 'done', lostFiles: started.lostFiles })
            }}
          />
        )
      case 'done':
        return <PasswordSet lostFiles={setting.lostFiles} />
    }
  }
  return <TaskPage>{content()}</TaskPage>
}

type Opening = ReturnType<typeof useApi>['openPassingProvider']

async function begin(openProvider: Opening, link: RecoveryLink | null): Promise<Setting> {
  if (!link) return unusable
  const provider = await openProvider()
  const recovery = await openRecovery(provider, link)
  if (!recovery.needsSecondFactor) return toForm(recovery)
  const ways: SecondFactorWays = {
    provider: async () => provider,
    redeemBackupCode: (code) => redeemBackupCodeOf({ call: recovery.call, provider, code }),
  }
  return { step: 'second-factor', recovery, ways }
}

const toForm = async (recovery: Recovery): Promise<Setting> => ({
  step: 'form',
  recovery,
  stakes: await readStakes(recovery.call),
})

function failureOf(error: unknown): Setting {
  const isOver = authCodeOf(error) === 'otp_expired'
  const message = isOver ? setPasswordWords.expired : speak(error, setPasswordWords.unverified)
  return { step: 'failed', message, canRetry: authCodeOf(error) === null }
}

function Verifying() {
  return (
    <div role="status" className="text-center">
      <h1 className="heading text-2xl">{setPasswordWords.verifying}</h1>
      <p className="mt-2 text-sm text-ink-2">{setPasswordWords.verifyingMore}</p>
    </div>
  )
}

interface FailedProps {
  readonly message: string
  readonly canRetry: boolean
  readonly onRetry: () => void
}

function Failed({ message, canRetry, onRetry }: FailedProps) {
  return (
    <div role="alert" className="grid justify-items-center text-center">
      <EmptyGate className="size-24" />
      <h1 className="mt-4 heading text-2xl">{setPasswordWords.failedTitle}</h1>
      <p className="mt-2 text-sm text-ink-2 wrap-anywhere">{message}</p>
      {canRetry ? (
        <Button variant="primary" size="large" className="mt-5 w-full" onClick={onRetry}>
          {setPasswordWords.tryAgain}
        </Button>
      ) : (
        <Link to="/#forgot" className={classNames(buttonClass('primary', 'large'), 'mt-5 w-full')}>
          {setPasswordWords.newLink}
        </Link>
      )}
      <Link to="/#signin" className={classNames(buttonClass('quiet'), 'mt-2.5 w-full')}>
        {setPasswordWords.toLogin}
      </Link>
    </div>
  )
}
