import { QrCode } from '#/components/brand/qr-code.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession } from '../sessions-context.ts'

interface InviteDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Shows the invite link as text and as a QR code. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
  const { inviteLink, keyMode } = useCurrentSession()
  const link = inviteLink()
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={sessionStrings.inviteTitle}
      description={keyMode === 'secret' ? sessionStrings.inviteHint : sessionStrings.invitePinHint}
    >
      <div className="grid justify-items-center gap-4">
        <QrCode text={link} label={sessionStrings.scanToJoin} className="rounded-control" />
        <p aria-hidden className="-mt-2 text-xs text-ink-3">
          {sessionStrings.scanToJoin}
        </p>
        <div className="grid w-full gap-2.5">
          <TextField
            label={sessionStrings.inviteLink}
            readOnly
            dir="ltr"
            value={link}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton
            label={sessionStrings.copyInvite}
            size="regular"
            variant="primary"
            onCopy={() => copyText(Promise.resolve(link))}
          />
        </div>
      </div>
    </Dialog>
  )
}
