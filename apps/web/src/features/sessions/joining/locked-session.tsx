import { useId } from 'react'
import { EmptyGate } from '#/components/brand/gate-illustrations.tsx'
import { useForm } from '#/components/forms/use-form.ts'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession } from '../sessions-context.ts'
import { RequestAdmission } from './request-admission.tsx'

/** A private session whose key is missing. Its invite link unlocks it. */
export function LockedSession() {
  const { unlock } = useCurrentSession()
  const titleId = useId()
  const form = useForm({
    initial: { link: '' },
    onSubmit: ({ link }) => unlock(link),
    failed: sessionStrings.wrongLink,
    onEdit: () => form.setMessages({}),
  })

  return (
    <Card aria-labelledby={titleId} className="grid justify-items-center gap-4 py-8! text-center">
      <EmptyGate className="size-24" />
      <div>
        <h2 id={titleId} className="heading text-xl">
          {sessionStrings.lockedTitle}
        </h2>
        <p className="mt-1 max-w-[30rem] text-sm text-ink-2">{sessionStrings.locked}</p>
      </div>
      <Form form={form} className="grid w-full max-w-form gap-3 text-start">
        <TextField
          label={sessionStrings.pasteLink}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          {...form.text('link')}
        />
        <FormAlert message={form.messages.form} />
        <Button type="submit" variant="primary" disabled={form.values.link.trim() === ''}>
          {sessionStrings.open}
        </Button>
      </Form>
      <RequestAdmission />
    </Card>
  )
}
