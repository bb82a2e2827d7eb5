import type { PortalOptions as Options } from '@sallyport/client/portal/pairing/room-code'
import { portals } from '@sallyport/contract/portals'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { portalOptionStrings as words } from '#/strings/portals/portal-options.ts'

interface PortalOptionsProps {
  readonly options: Options
  readonly onChange: (options: Options) => void
}

/** Options for a new portal. Options that this server does not support are hidden. */
export function PortalOptions({ options, onChange }: PortalOptionsProps) {
  const call = useCall()
  const { data } = useQuery({
    queryKey: ['config', 'portals'],
    queryFn: () => call(portals.settings, {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const choices = [
    // Always shown: a server that reports no legacy devices may still admit one.
    'verifiedOnly' as const,
    'linkOnly' as const,
    data?.relay === false ? null : ('relayOnly' as const),
  ].filter((choice) => choice !== null)

  return (
    <details className="disclosure text-sm">
      <summary className="font-medium">{words.title}</summary>
      <div className="mt-2 flex flex-col gap-3">
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            label={words[choice]}
            hint={words[`${choice}Hint`]}
            checked={options[choice]}
            onChange={({ target }) => onChange({ ...options, [choice]: target.checked })}
          />
        ))}
      </div>
    </details>
  )
}
