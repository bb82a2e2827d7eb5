import type { PortalState } from '@sallyport/client/portal/portal'
import { PinPlates } from '#/motifs/pin-plates.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { portalWords } from '#/words/portal.ts'
import { portalOptionWords } from '#/words/portal-options.ts'
import { portalLinkOf } from './portal-link.ts'

/** What the person tells the other one: the digits, or the link where they alone open nothing. */
export function PortalCode({ invitation }: { readonly invitation: NonNullable<PortalState['invitation']> }) {
  const copy = (text: string) => () => copyText(Promise.resolve(text))
  const isLinkOnly = 'isLinkOnly' in invitation && invitation.isLinkOnly
  return (
    <div className="portal-code flex flex-wrap items-center justify-center gap-4">
      {isLinkOnly ? (
        <>
          <p className="text-sm text-ink-2">{portalOptionWords.onlyByLink}</p>
          <CopyButton size="regular" label={portalOptionWords.copyLink} onCopy={copy(portalLinkOf(invitation))} />
        </>
      ) : (
        <>
          <PinPlates pin={invitation.pin} />
          <CopyButton size="regular" label={portalWords.copyPin} onCopy={copy(invitation.pin)} />
        </>
      )}
    </div>
  )
}
