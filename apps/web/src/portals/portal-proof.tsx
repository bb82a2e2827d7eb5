import type { PortalState } from '@sallyport/client/portal/portal'
import { Badge } from '#/ui/badge.tsx'
import { nameOfPicture } from '#/words/pictures.ts'
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
        // A link can't be guessed; of a code whoever tries has one guess, which only the pictures show.
        <details className="text-sm" open={proved !== 'link'}>
          <summary className="cursor-pointer rounded-segment py-1 font-medium">{portalWords.verify}</summary>
          <Pictures pictures={pictures} />
          <p className="mt-2 text-ink-2">{portalWords.verifyHint}</p>
        </details>
      ) : null}
    </div>
  )
}

/** By picture and by name, so that they can also be read out. */
function Pictures({ pictures }: Pick<PortalState, 'pictures'>) {
  return (
    <ol aria-label={portalWords.pictures} className="mt-1 grid grid-cols-2 gap-x-2 gap-y-1">
      {pictures.map((picture, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may come twice, and none ever moves.
        <li key={place} className="flex items-center gap-1">
          <span aria-hidden className="w-8 shrink-0 text-2xl">
            {picture}
          </span>
          {nameOfPicture(picture)}
        </li>
      ))}
    </ol>
  )
}
