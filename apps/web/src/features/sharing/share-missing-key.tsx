import { downloadErrorStrings } from '#/strings/errors/download-errors.ts'
import { incompleteLinkStrings } from '#/strings/errors/incomplete-link.ts'
import { shareStrings } from '#/strings/sharing.ts'

interface ShareMissingKeyProps {
  readonly link: string
}

export function ShareMissingKey({ link }: ShareMissingKeyProps) {
  return (
    <>
      <LinkPreview link={link} />
      <h1 className="mt-6 heading text-2xl">{incompleteLinkStrings.title}</h1>
      <p className="mt-1.5 text-base text-balance text-ink-2">{downloadErrorStrings.SHARE_LINK_INCOMPLETE}</p>
      <p className="mt-4 mb-2 text-sm text-ink-3">{shareStrings.incompleteHint}</p>
    </>
  )
}

/** Shows the end of the opened link and marks the missing key. */
function LinkPreview({ link }: { readonly link: string }) {
  return (
    <p
      dir="ltr"
      aria-hidden
      className="mt-1 flex w-full items-center justify-center gap-1.5 rounded-control bg-sunken px-3 py-3 text-sm text-ink-3"
    >
      <span className="flex min-w-0 justify-end overflow-hidden [mask-image:linear-gradient(to_right,transparent,#000_1.25rem)]">
        <span className="num shrink-0 ps-5 whitespace-nowrap">{link.replace(/^https?:\/\//, '')}</span>
      </span>
      <span className="num shrink-0 rounded-segment border border-dashed border-brass px-2 py-1 text-brass-ink">
        {incompleteLinkStrings.noKey}
      </span>
    </p>
  )
}
