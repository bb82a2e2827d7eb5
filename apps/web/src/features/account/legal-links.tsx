import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { settingsStrings } from '#/strings/account/settings.ts'

/** Links to the licences of what the page contains, and to the source code of this server if its operator names it. */
export function LegalLinks() {
  const { data: config } = useQuery(configQuery(useCall()))
  const source = config?.sourceUrl
  return (
    <p className="flex flex-wrap gap-x-5">
      <LegalLink href="/licenses.txt">{settingsStrings.licences}</LegalLink>
      {source !== undefined && /^https?:\/\//.test(source) ? (
        <LegalLink href={source}>{settingsStrings.sourceCode}</LegalLink>
      ) : null}
    </p>
  )
}

const LegalLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="rounded-segment py-1 text-xs text-ink-3 underline decoration-1 underline-offset-3"
  >
    {children}
  </a>
)
