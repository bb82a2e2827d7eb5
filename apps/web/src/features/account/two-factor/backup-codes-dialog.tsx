import { saveBlob } from '@sallyport/transfers/browser/downloads/save-blob'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { mfaStrings } from '#/strings/account/mfa.ts'

interface BackupCodesDialogProps {
  readonly codes: readonly string[]
  /** Earlier codes existed and are now invalid. */
  readonly replaced: boolean
  readonly onSaved: () => void
}

/** Shows the codes once, with buttons to copy, print and download them. */
export function BackupCodesDialog({ codes, replaced, onSaved }: BackupCodesDialogProps) {
  const text = [mfaStrings.codesFileHeader, '', ...codes, ''].join('\n')
  return (
    <Dialog
      open
      onOpenChange={onSaved}
      closable={false}
      title={mfaStrings.codesTitle}
      description={replaced ? `${mfaStrings.codesShownOnce} ${mfaStrings.codesReplace}` : mfaStrings.codesShownOnce}
      actions={
        <Button variant="primary" onClick={onSaved}>
          {mfaStrings.codesSaved}
        </Button>
      }
    >
      <ul
        aria-label={mfaStrings.backupHeading}
        dir="ltr"
        className="print-sheet grid grid-cols-2 gap-1.5 rounded-control bg-sunken p-3.5"
      >
        {codes.map((code) => (
          <li key={code} className="num text-center tracking-wider select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton label={mfaStrings.copyCodes} onCopy={() => copyText(Promise.resolve(codes.join('\n')))} />
        <Button size="compact" onClick={() => print()}>
          {mfaStrings.printCodes}
        </Button>
        <Button size="compact" onClick={() => saveBlob(new Blob([text], { type: 'text/plain' }), mfaStrings.codesFile)}>
          {mfaStrings.downloadCodes}
        </Button>
      </div>
    </Dialog>
  )
}
