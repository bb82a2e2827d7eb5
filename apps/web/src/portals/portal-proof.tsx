import type { PortalState } from '@sallyport/client/portal/portal'
import { Badge } from '#/ui/badge.tsx'
import { portalWords } from '#/words/portal.ts'

/** How the other device was proved to be the right one, and what both people can compare. */
export function PortalProof({ state: { proved, pictures } }: { readonly state: PortalState }) {
  const unverifiedHint = pictures.length > 0 ? portalWords.compareHint : portalWords.unverifiedHint
  const badge = proved === 'link' ? portalWords.verifiedLink : portalWords.verifiedPin
  return (
    <div className="flex flex-col items-start gap-2">
      <Badge tone={proved ? 'seal' : 'brass'}>{proved ? badge : portalWords.unverified}</Badge>
      {proved ? null : <p className="text-sm text-ink-2">{unverifiedHint}</p>}
      {pictures.length > 0 ? (
        <details className="text-sm" open={!proved}>
          <summary className="cursor-pointer rounded-segment py-1 font-medium">{portalWords.verify}</summary>
          <p className="mt-1 text-3xl tracking-[0.3em]">{pictures.join('')}</p>
          <p className="mt-1 text-ink-2">{portalWords.verifyHint}</p>
        </details>
      ) : null}
    </div>
  )
}
