import type { PortalOptions as Options } from '@sallyport/client/portal/meeting/options'
import { portals } from '@sallyport/contract/portals'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '#/api/api-context.ts'
import { Checkbox } from '#/ui/checkbox.tsx'
import { portalOptionWords as words } from '#/words/portal-options.ts'

interface PortalOptionsProps {
  readonly options: Options
  readonly onChange: (options: Options) => void
}

/** What a portal may be asked for before it is opened; what this server cannot do is left out. */
export function PortalOptions({ options, onChange }: PortalOptionsProps) {
  const call = useCall()
  const { data } = useQuery({
    queryKey: ['config', 'portals'],
    queryFn: () => call(portals.settings, {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const choices = [
    // Always offered: a server that says it knows no legacy devices may still let one in.
    'verifiedOnly' as const,
    'linkOnly' as const,
    data?.relay === false ? null : ('relayOnly' as const),
  ].filter((choice) => choice !== null)

  return (
    <details className="text-sm">
      <summary className="cursor-pointer rounded-segment py-1 font-medium">{words.title}</summary>
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
