import { QrCode } from '#/motifs/qr-code.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { Dialog } from '#/ui/dialog.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useRoom } from './sessions-context.ts'

interface InviteDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** The link that leads in, to be copied or to be read by a camera. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
  const { inviteLink, keyMode } = useRoom()
  const link = inviteLink()
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={sessionWords.inviteTitle}
      description={keyMode === 'secret' ? sessionWords.inviteHint : sessionWords.invitePinHint}
    >
      <div className="grid justify-items-center gap-4">
        <QrCode text={link} label={sessionWords.scanToJoin} className="rounded-control" />
        <p aria-hidden className="-mt-2 text-xs text-ink-3">
          {sessionWords.scanToJoin}
        </p>
        <div className="grid w-full gap-2.5">
          <TextField
            label={sessionWords.inviteLink}
            readOnly
            dir="ltr"
            value={link}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton
            label={sessionWords.copyInvite}
            size="regular"
            variant="primary"
            onCopy={() => copyText(Promise.resolve(link))}
          />
        </div>
      </div>
    </Dialog>
  )
}
