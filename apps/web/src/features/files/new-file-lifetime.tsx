import { LifetimeRing } from '#/components/brand/lifetime-ring.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { Menu, MenuChoice } from '#/components/ui/overlays/menu.tsx'
import { formatMinutes } from '#/strings/durations.ts'
import { fileStrings } from '#/strings/files.ts'

interface NewFileLifetimeProps {
  readonly minutes: number
  /** The offered lifetimes in minutes. */
  readonly options: readonly number[]
  readonly onChange: (minutes: number) => void
}

/** The lifetime of new files, which can be changed in the drop zone. */
export function NewFileLifetime({ minutes, options, onChange }: NewFileLifetimeProps) {
  const isPhone = useIsPhone()
  return (
    <p className="pointer-events-none mt-4 flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-2 max-md:mt-1.5">
      <LifetimeRing minutes={minutes} />
      <span>
        {isPhone ? fileStrings.expiresAfter : fileStrings.newFilesExpire}{' '}
        <strong className="font-semibold text-ink">{formatMinutes(minutes)}</strong>
      </span>
      <span aria-hidden>·</span>
      <Menu
        align="center"
        trigger={
          <button type="button" className={changeClass}>
            {fileStrings.change}
          </button>
        }
      >
        <MenuChoice
          label={fileStrings.newFilesExpire}
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
