import type { PortalState } from '@sallyport/client/portal/portal-state'
import { Badge } from '#/components/ui/badge.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { emojiName } from '#/strings/portals/sas-emoji.ts'

/** Shows how the other device was verified, and the emoji that both users can compare. */
export function PortalVerification({ state: { verifiedBy, sasEmoji } }: { readonly state: PortalState }) {
  const unverifiedHint = sasEmoji.length > 0 ? portalScreenStrings.compareHint : portalScreenStrings.unverifiedHint
  const badge = verifiedBy === 'link' ? portalScreenStrings.verifiedLink : portalScreenStrings.verifiedPin
  return (
    <div className="flex flex-col items-start gap-2">
      <Badge tone={verifiedBy ? 'seal' : 'brass'}>{verifiedBy ? badge : portalScreenStrings.unverified}</Badge>
      {verifiedBy ? null : <p className="text-sm text-ink-2">{unverifiedHint}</p>}
      {sasEmoji.length > 0 ? (
        // A link secret can't be guessed. An attacker has one guess at a code, which only the emoji reveal.
        <details className="disclosure text-sm" open={verifiedBy !== 'link'}>
          <summary className="font-medium">{portalScreenStrings.verify}</summary>
          <SasEmojiList sasEmoji={sasEmoji} />
          <p className="mt-2 text-ink-2">{portalScreenStrings.verifyHint}</p>
        </details>
      ) : null}
    </div>
  )
}

/** Shows each emoji with its name, so that they can be read out. */
function SasEmojiList({ sasEmoji }: Pick<PortalState, 'sasEmoji'>) {
  return (
    <ol
      aria-label={portalScreenStrings.emoji}
      className="mt-1 grid grid-cols-[auto_auto] justify-start gap-x-2 gap-y-1 text-xs max-md:gap-x-8"
    >
      {sasEmoji.map((emoji, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same emoji may occur twice, and the order is fixed.
        <li key={index} className="flex items-center gap-1">
          <span aria-hidden className="w-7 shrink-0 text-2xl">
            {emoji}
          </span>
          {emojiName(emoji)}
        </li>
      ))}
    </ol>
  )
}
