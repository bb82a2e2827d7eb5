import { ignore } from '@sallyport/contract/ignore'
import { Share } from 'lucide-react'
import { QrCode } from '#/components/brand/qr-code.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { fileStrings } from '#/strings/files.ts'
import { shareLinkStrings } from '#/strings/share-links.ts'

interface ShareLinkSectionProps {
  readonly fileName: string
  /** The complete link, including its key. */
  readonly link: string
}

/** The link of a share as text and QR code, with the actions to pass it on. */
export function ShareLinkSection({ fileName, link }: ShareLinkSectionProps) {
  const toast = useToast()

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(Promise.resolve(link))
    if (!isCopied) toast({ text: fileStrings.copyFailed, tone: 'rust' })
    return isCopied
  }

  return (
    <div className="grid items-start gap-5 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid gap-3">
        <TextField
          label={shareLinkStrings.link}
          readOnly
          dir="ltr"
          value={link}
          className="num"
          onFocus={(event) => event.target.select()}
        />
        <div className="flex flex-wrap gap-2.5">
          <CopyButton
            label={shareLinkStrings.copy}
            variant="primary"
            size="regular"
            className="max-md:grow"
            onCopy={copy}
          />
          {'share' in navigator ? (
            <Button
              className="max-md:grow"
              icon={<Share aria-hidden size={18} strokeWidth={1.75} />}
              onClick={() => void openShareSheet(link)}
            >
              {shareLinkStrings.send}
            </Button>
          ) : null}
        </div>
      </div>
      <figure className="grid justify-items-center gap-1.5">
        <QrCode
          text={link}
          label={shareLinkStrings.qr(visibleFileName(fileName))}
          className="max-w-full border border-line"
        />
        <figcaption className="text-xs text-ink-3">{shareLinkStrings.scan}</figcaption>
      </figure>
    </div>
  )
}

/** Shares the link without a title, because the file name must not be disclosed to other apps. */
async function openShareSheet(url: string): Promise<void> {
  // Closing the share sheet is not an error, and opening a second one at once is rejected.
  await navigator.share({ url }).catch((error) => ignore(error, 'the share sheet was closed'))
}
