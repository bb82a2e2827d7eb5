import { formatMinutes } from '@sallyport/contract/formats'
import { LifetimeRing } from '#/motifs/hour-ring.tsx'
import { Menu, MenuChoice } from '#/ui/menu.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'

interface NextLifetimeProps {
  readonly minutes: number
  /** On offer, in minutes. */
  readonly options: readonly number[]
  readonly onChange: (minutes: number) => void
}

/** How long the next files are kept, changed where they come in. */
export function NextLifetime({ minutes, options, onChange }: NextLifetimeProps) {
  const isPhone = useIsPhone()
  return (
    <p className="pointer-events-none mt-4 flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-2 max-md:mt-1.5">
      <LifetimeRing minutes={minutes} />
      <span>
        {isPhone ? 'Expires after' : 'New files expire after'}{' '}
        <strong className="font-semibold text-ink">{formatMinutes(minutes)}</strong>
      </span>
      <span aria-hidden>·</span>
      <Menu
        align="center"
        trigger={
          <button type="button" className={changeClass}>
            Change
          </button>
        }
      >
        <MenuChoice
          label="New files expire after"
          value={String(minutes)}
          onValueChange={(value) => onChange(Number(value))}
          closeOnChoice
          choices={options.map((option) => ({ value: String(option), label: formatMinutes(option) }))}
        />
      </Menu>
    </p>
  )
}

const changeClass =
  'pointer-events-auto relative -mx-1 min-h-6 rounded-segment px-1 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11'
