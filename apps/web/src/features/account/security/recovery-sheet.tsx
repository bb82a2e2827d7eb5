import { serverClock } from '@sallyport/browser/server-clock'
import { saveBlob } from '@sallyport/transfers/browser/downloads/save-blob'
import { visibleName } from '#/components/names/visible-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { securityStrings } from '#/strings/account/security.ts'
import { formatDate } from '#/strings/format.ts'
import { productName } from '#/strings/product.ts'
import { RecoveryKeyGroups } from './recovery-key-groups.tsx'
import { useSecurity } from './security-context.ts'

interface RecoverySheetProps {
  readonly groups: readonly string[]
  readonly onSaved: () => void
  readonly onCancel: () => void
}

/** Shows the key in groups, with buttons to copy, print and download it. Only the sheet is printed. */
export function RecoverySheet({ groups, onSaved, onCancel }: RecoverySheetProps) {
  const { name } = useSecurity()
  const toast = useToast()
  const key = groups.join('-')

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(Promise.resolve(key))
    if (!isCopied) toast({ text: securityStrings.copyFailed, tone: 'rust', urgent: true })
    return isCopied
  }

  function download() {
    const lines = [
      `${productName}: ${securityStrings.printTitle(visibleName(name))}`,
      formatDate(serverClock.now()),
      '',
      key,
      '',
    ]
    const text = [...lines, securityStrings.printInstructions, ''].join('\n')
    saveBlob(new Blob([text], { type: 'text/plain' }), securityStrings.fileName)
  }

  return (
    <div className="grid gap-4">
      <div className="print-sheet grid gap-3">
        <p className="hidden text-sm print:block">
          {productName}: {securityStrings.printTitle(visibleName(name))}, {formatDate(serverClock.now())}
        </p>
        <RecoveryKeyGroups groups={groups} />
        <p className="hidden text-sm print:block">{securityStrings.printInstructions}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton label={securityStrings.copy} subject={securityStrings.keyTitle} onCopy={copy} />
        <Button size="compact" onClick={() => print()}>
          {securityStrings.print}
        </Button>
        <Button size="compact" onClick={download}>
          {securityStrings.download}
        </Button>
      </div>
      <div className="dialog-actions mt-0!">
        <Button onClick={onCancel}>{securityStrings.cancel}</Button>
        <Button variant="primary" onClick={onSaved}>
          {securityStrings.savedConfirmation}
        </Button>
      </div>
    </div>
  )
}
