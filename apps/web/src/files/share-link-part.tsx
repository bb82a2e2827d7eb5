import { Share } from 'lucide-react'
import { QrCode } from '#/motifs/qr-code.tsx'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { TextField } from '#/ui/text-field.tsx'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'
import { linkWords } from '#/words/links.ts'

interface ShareLinkPartProps {
  readonly fileName: string
  /** Whole, with its key. */
  readonly link: string
}

/** The link itself, and the ways to hand it over. */
export function ShareLinkPart({ fileName, link }: ShareLinkPartProps) {
  const toast = useToast()

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(Promise.resolve(link))
    if (!isCopied) toast({ text: fileWords.copyFailed, tone: 'rust' })
    return isCopied
  }

  return (
    <div className="grid items-start gap-5 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid gap-3">
        <TextField
          label={linkWords.link}
          readOnly
          dir="ltr"
          value={link}
          className="num"
          onFocus={(event) => event.target.select()}
        />
        <div className="flex flex-wrap gap-2.5">
          <CopyButton label={linkWords.copy} variant="primary" size="regular" className="max-md:grow" onCopy={copy} />
          {'share' in navigator ? (
            <Button
              className="max-md:grow"
              icon={<Share aria-hidden size={18} strokeWidth={1.75} />}
              onClick={() => void sendBySystem(link)}
            >
              {linkWords.send}
            </Button>
          ) : null}
        </div>
      </div>
      <figure className="grid justify-items-center gap-1.5">
        <QrCode text={link} label={linkWords.qr(fileName)} className="max-w-full border border-line" />
        <figcaption className="text-xs text-ink-3">{linkWords.scan}</figcaption>
      </figure>
    </div>
  )
}

/** Only the link: a name beside it would tell another program more than it must know. */
async function sendBySystem(url: string): Promise<void> {
  // Whoever closes the sheet has decided, and a second sheet at once is refused.
  await navigator.share({ url }).catch(() => undefined)
}
