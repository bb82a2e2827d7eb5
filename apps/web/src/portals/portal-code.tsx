import type { Invitation } from '@sallyport/client/portal/meeting/meet'
import { PinPlates } from '#/motifs/pin-plates.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { portalWords } from '#/words/portal.ts'
import { portalOptionWords } from '#/words/portal-options.ts'
import { portalLinkOf } from './portal-link.ts'

/** What somebody tells the other person: the digits, or the link where they alone open nothing. */
export function PortalCode({ invitation }: { readonly invitation: Invitation }) {
  const { pin, isLinkOnly } = invitation
  const copy = (text: string) => () => copyText(Promise.resolve(text))
  return (
    <div className="portal-code flex flex-wrap items-center justify-center gap-4">
      {isLinkOnly ? <p className="text-sm text-ink-2">{portalOptionWords.onlyByLink}</p> : <PinPlates pin={pin} />}
      {isLinkOnly ? (
        <CopyButton size="regular" label={portalOptionWords.copyLink} onCopy={copy(portalLinkOf(invitation))} />
      ) : (
        <CopyButton size="regular" label={portalWords.copyPin} onCopy={copy(pin)} />
      )}
    </div>
  )
}
