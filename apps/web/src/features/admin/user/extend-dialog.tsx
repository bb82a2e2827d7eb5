import { admin, adminLimits, type UserDetail } from '@sallyport/contract/admin'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { controlStrings } from '#/strings/controls.ts'
import { parseDays } from './parse-days.ts'
import { changeErrorMessage, type ReauthGuard, useChange } from './use-change.ts'

interface ExtendDialogProps extends ReauthGuard {
  readonly detail: UserDetail
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks for a number of days and extends the licence by it. Anything else closes the dialog and changes nothing. */
export function ExtendDialog({ detail, open, onClose, guard, reauthDialog }: ExtendDialogProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const params = { id: detail.user.id }
  const change = useChange({
    guard,
    send: async (call, days: number) => (await call(admin.extendUserSubscription, { params, body: { days } })).message,
    onDone: close,
  })

  function close() {
    change.reset()
    setText('')
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const days = parseDays(text)
    if (days === null) close()
    else if (!change.isPending) change.mutate(days)
  }

  const strings = adminActionStrings.extend
  return (
    <Dialog
      open={open}
      onOpenChange={() => {
        if (!change.isPending) close()
      }}
      title={strings.title}
      initialFocus={input}
    >
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <TextField
          ref={input}
          label={strings.days}
          hint={strings.hint(adminLimits.maximumDays)}
          name="days"
          inputMode="numeric"
          autoComplete="off"
          className="num"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <FormAlert message={change.error ? changeErrorMessage(change.error, strings.failed) : null} />
        <div className="dialog-actions mt-0!">
          <Button disabled={change.isPending} onClick={close}>
            {controlStrings.cancel}
          </Button>
          <Button type="submit" variant="primary" busy={change.isPending} busyLabel={adminActionStrings.working}>
            {strings.confirm}
          </Button>
        </div>
      </form>
      {reauthDialog}
    </Dialog>
  )
}
