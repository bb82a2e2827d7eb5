import { saveBlob } from '#/transfers/save-blob.ts'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { useToast } from '#/ui/toast.tsx'
import { productName } from '#/words/product.ts'
import { securityWords } from '#/words/security.ts'
import { sayDate } from './moments.ts'
import { useSecurity } from './security-context.ts'

interface RecoverySheetProps {
  readonly groups: readonly string[]
  readonly onKept: () => void
  readonly onCancel: () => void
}

/** The key in groups, and the ways to keep it. Printing prints the sheet and nothing else. */
export function RecoverySheet({ groups, onKept, onCancel }: RecoverySheetProps) {
  const { name } = useSecurity()
  const toast = useToast()
  const key = groups.join('-')

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(Promise.resolve(key))
    if (!isCopied) toast({ text: securityWords.copyFailed, tone: 'rust', urgent: true })
    return isCopied
  }

  function download() {
    const lines = [`${productName}: ${securityWords.sheetFor(name)}`, sayDate(Date.now()), '', key, '']
    const text = [...lines, securityWords.sheetUse, ''].join('\n')
    saveBlob(new Blob([text], { type: 'text/plain' }), securityWords.fileName)
  }

  return (
    <div className="grid gap-4">
      <div className="print-sheet grid gap-3">
        <p className="hidden text-sm print:block">
          {productName}: {securityWords.sheetFor(name)}, {sayDate(Date.now())}
        </p>
        <ol aria-label={securityWords.keyGroups} dir="ltr" className="grid grid-cols-2 gap-1.5 min-[26rem]:grid-cols-4">
          {groups.map((group, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: groups stay where they are, and two may be the same.
              key={index}
              className="flex items-baseline gap-2 rounded-segment bg-sunken px-2.5 py-1.5"
            >
              <span aria-hidden className="num w-5 text-2xs text-ink-3">
                {index + 1}
              </span>
              <span className="num text-base tracking-wider">{group}</span>
            </li>
          ))}
        </ol>
        <p className="hidden text-sm print:block">{securityWords.sheetUse}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton label={securityWords.copy} subject={securityWords.keyTitle} onCopy={copy} />
        <Button size="compact" onClick={() => print()}>
          {securityWords.print}
        </Button>
        <Button size="compact" onClick={download}>
          {securityWords.download}
        </Button>
      </div>
      <div className="dialog-actions mt-0!">
        <Button onClick={onCancel}>{securityWords.cancel}</Button>
        <Button variant="primary" onClick={onKept}>
          {securityWords.kept}
        </Button>
      </div>
    </div>
  )
}
