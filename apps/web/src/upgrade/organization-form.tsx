import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { upgradeWords } from '#/words/upgrade.ts'

interface OrganizationFormProps {
  readonly busy: boolean
  readonly onCancel: () => void
  readonly onSubmit: (name: string) => void
}

/** What an organization is to be called. */
export function OrganizationForm({ busy, onCancel, onSubmit }: OrganizationFormProps) {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const isEmpty = name.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isEmpty && !busy) onSubmit(name.trim())
  }

  /** A form whose button is off is not sent by Enter, but Enter deserves an answer. */
  function answerEnter(event: KeyboardEvent) {
    if (event.key === 'Enter') setMissing(isEmpty)
  }

  return (
    <form noValidate onSubmit={submit}>
      <TextField
        label={upgradeWords.organizationName}
        name="organization"
        autoComplete="organization"
        required
        maxLength={100}
        value={name}
        onKeyDown={answerEnter}
        error={isMissing ? upgradeWords.organizationMissing : null}
        onChange={(event) => {
          setMissing(false)
          setName(event.target.value)
        }}
      />
      <div className="dialog-actions">
        <Button onClick={onCancel}>{upgradeWords.cancel}</Button>
        <Button type="submit" variant="primary" disabled={isEmpty} busy={busy} busyLabel={upgradeWords.creating}>
          {upgradeWords.checkout}
        </Button>
      </div>
    </form>
  )
}
