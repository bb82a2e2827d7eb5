import type { PortalState } from '@sallyport/client/portal/portal-state'
import { PinPlates } from '#/components/brand/pin-plates.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { portalOptionStrings } from '#/strings/portals/portal-options.ts'
import { portalUrlOf } from './portal-link.ts'

/** What the user gives to the other person: the code and the link, or the link alone where the code does not join. */
export function PortalCode({ invitation }: { readonly invitation: NonNullable<PortalState['invitation']> }) {
  const copy = (text: string) => () => copyText(Promise.resolve(text))
  const isLinkOnly = 'isLinkOnly' in invitation && invitation.isLinkOnly
  const copyLink =
    'secret' in invitation ? (
      <CopyButton size="regular" label={portalOptionStrings.copyLink} onCopy={copy(portalUrlOf(invitation))} />
    ) : null
  return (
    <div className="portal-code flex flex-wrap items-center justify-center gap-4">
      {isLinkOnly ? (
        <>
          <p className="text-sm text-ink-2">{portalOptionStrings.onlyByLink}</p>
          {copyLink}
        </>
      ) : (
        <>
          <PinPlates pin={invitation.pin} />
          <div className="flex flex-wrap justify-center gap-3">
            <CopyButton size="regular" label={portalScreenStrings.copyPin} onCopy={copy(invitation.pin)} />
            {copyLink}
          </div>
        </>
      )}
    </div>
  )
}
