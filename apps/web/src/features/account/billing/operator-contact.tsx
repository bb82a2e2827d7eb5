import { upgradeStrings } from '#/strings/account/upgrade.ts'

/** The operator's contact as configured on the server, or a generic hint. */
export function OperatorContact({ contact }: { readonly contact: string | undefined }) {
  if (contact === undefined) return upgradeStrings.pageNoContact
  const isPage = /^https?:/.test(contact)
  return (
    <>
      {upgradeStrings.pageContact}{' '}
      <a
        href={isPage ? contact : `mailto:${contact}`}
        {...(isPage ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="rounded-segment font-semibold text-ink underline decoration-1 underline-offset-3 wrap-anywhere"
      >
        {contact}
      </a>
    </>
  )
}
