import { type FormEvent, useState } from 'react'
import { type Account, nameOf } from '#/api/auth.ts'
import { speak } from '#/api/failure.ts'
import { isWrongKey } from '#/keys/password-keys.ts'
import { Brand } from '#/motifs/mark.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { useWork } from '#/ui/use-work.ts'
import { productName } from '#/words/product.ts'
import { unlockWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'
import { unlock } from './enter.ts'

interface UnlockPageProps {
  readonly account: Account
}

/** For a tab of somebody who is signed in, but whose keys neither this tab nor another open one holds. */
export function UnlockPage({ account }: UnlockPageProps) {
  const { gate, enter } = useAccounts()
  const [password, setPassword] = useState('')
  const { isBusy, failure, run } = useWork((error) =>
    isWrongKey(error) ? unlockWords.wrongPassword : speak(error, unlockWords.failed),
  )
  useTitle(`${unlockWords.button} · ${productName}`)

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(() => unlock(enter, { account, password }))
  }

  return (
    <main
      id="main"
      tabIndex={-1}
      className="grid min-h-dvh content-start justify-items-center px-5 pt-16 outline-none md:pt-24"
    >
      <Brand />
      <Card depth="float" className="mt-7 w-full max-w-form p-5.5!">
        <h1 className="heading text-2xl">{unlockWords.title}</h1>
        <p className="mt-2 text-sm text-ink-2">{unlockWords.explanation}</p>
        <form className="mt-5 grid gap-4" onSubmit={submit}>
          {/* Password managers pick the entry by it. */}
          <input type="email" name="email" autoComplete="username" value={nameOf(account)} readOnly hidden />
          <p className="text-sm">
            <span className="text-ink-2">Signed in as </span>
            <bdi className="font-semibold wrap-anywhere">{nameOf(account)}</bdi>
          </p>
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <FormAlert message={failure} />
          <Button
            type="submit"
            variant="primary"
            size="large"
            fullWidth
            disabled={password === ''}
            busy={isBusy}
            busyLabel={unlockWords.busy}
          >
            {unlockWords.button}
          </Button>
          <Button variant="quiet" onClick={() => void gate.signOut()}>
            {unlockWords.otherAccount}
          </Button>
        </form>
      </Card>
    </main>
  )
}
