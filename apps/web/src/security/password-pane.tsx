import { NetworkError } from '@sallyport/client/errors'
import { passwordLimits } from '@sallyport/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { isWrongKey } from '#/keys/password-keys.ts'
import { MatchHint } from '#/passwords/match-hint.tsx'
import { PasswordStrength } from '#/passwords/password-strength.tsx'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { passwordWords } from '#/words/passwords.ts'
import { securityWords } from '#/words/security.ts'
import { signInsQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

export function PasswordPane() {
  return (
    <Card aria-labelledby="password-heading">
      <CardHeading id="password-heading" title={securityWords.passwordHeading} />
      <p className="mt-1 text-sm text-ink-2">{securityWords.passwordIntro}</p>
      <PasswordForm />
    </Card>
  )
}

type Trouble = { readonly field: 'current' | 'next' | 'confirmation' | 'form'; readonly message: string }

const empty = { current: '', next: '', confirmation: '' }

function PasswordForm() {
  const { name, changePassword } = useSecurity()
  const call = useCall()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(empty)
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)

  function type(field: keyof typeof empty, text: string) {
    setTyped({ ...typed, [field]: text })
    setTrouble(null)
    setDone(false)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const found = check(typed)
    setTrouble(found)
    if (found) return
    setBusy(true)
    setDone(false)
    try {
      await changePassword(typed)
      setTyped(empty)
      setDone(true)
      await queries.invalidateQueries(signInsQuery(call))
    } catch (error) {
      setTrouble(troubleOf(error))
    } finally {
      setBusy(false)
    }
  }

  const errorOf = (field: Trouble['field']) => (trouble?.field === field ? trouble.message : null)
  return (
    <form noValidate className="mt-4 grid max-w-form gap-4" onSubmit={(event) => void submit(event)}>
      {/* Password managers pick the entry by it. */}
      <input type="email" name="email" autoComplete="username" value={name} readOnly hidden />
      <PasswordField
        label={securityWords.currentPassword}
        name="current-password"
        autoComplete="current-password"
        value={typed.current}
        error={errorOf('current')}
        onChange={(event) => type('current', event.target.value)}
      />
      <PasswordField
        label={securityWords.newPassword}
        name="new-password"
        autoComplete="new-password"
        value={typed.next}
        error={errorOf('next')}
        hint={<PasswordStrength password={typed.next} own={[name]} />}
        onChange={(event) => type('next', event.target.value)}
      />
      <PasswordField
        label={securityWords.confirmPassword}
        name="confirmation"
        autoComplete="new-password"
        value={typed.confirmation}
        error={errorOf('confirmation')}
        hint={<MatchHint password={typed.next} confirmation={typed.confirmation} />}
        onChange={(event) => type('confirmation', event.target.value)}
      />
      <FormAlert message={errorOf('form')} />
      <FormAlert tone="seal" message={isDone ? securityWords.changed : null} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={Object.values(typed).includes('')}
        busy={isBusy}
        busyLabel={securityWords.changing}
      >
        {securityWords.changePassword}
      </Button>
    </form>
  )
}

function check({ next, confirmation }: typeof empty): Trouble | null {
  if (next.length < passwordLimits.fewestCharacters) return { field: 'next', message: passwordWords.tooShort }
  if (next !== confirmation) return { field: 'confirmation', message: passwordWords.different }
  return null
}

function troubleOf(error: unknown): Trouble {
  if (isWrongKey(error)) return { field: 'current', message: securityWords.wrongPassword }
  if (error instanceof NetworkError) return { field: 'form', message: securityWords.changeUnsure }
  return { field: 'form', message: speak(error, securityWords.changeFailed) }
}
