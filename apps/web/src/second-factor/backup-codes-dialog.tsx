import { saveBlob } from '#/transfers/save-blob.ts'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { Dialog } from '#/ui/dialog.tsx'
import { secondFactorWords } from '#/words/second-factor.ts'

interface BackupCodesDialogProps {
  readonly codes: readonly string[]
  /** There were others, which are worth nothing now. */
  readonly replaced: boolean
  readonly onKept: () => void
}

/** The codes, this once, and the ways to keep them. */
export function BackupCodesDialog({ codes, replaced, onKept }: BackupCodesDialogProps) {
  const text = [secondFactorWords.codesFileHead, '', ...codes, ''].join('\n')
  return (
    <Dialog
      open
      onOpenChange={onKept}
      closable={false}
      title={secondFactorWords.codesTitle}
      description={
        replaced
          ? `${secondFactorWords.codesShownOnce} ${secondFactorWords.codesReplace}`
          : secondFactorWords.codesShownOnce
      }
      actions={
        <Button variant="primary" onClick={onKept}>
          {secondFactorWords.codesKept}
        </Button>
      }
    >
      <ul
        aria-label={secondFactorWords.backupHeading}
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
        <CopyButton label={secondFactorWords.copyCodes} onCopy={() => copyText(Promise.resolve(codes.join('\n')))} />
        <Button size="compact" onClick={() => print()}>
          {secondFactorWords.printCodes}
        </Button>
        <Button
          size="compact"
          onClick={() => saveBlob(new Blob([text], { type: 'text/plain' }), secondFactorWords.codesFile)}
        >
          {secondFactorWords.downloadCodes}
        </Button>
      </div>
    </Dialog>
  )
}
