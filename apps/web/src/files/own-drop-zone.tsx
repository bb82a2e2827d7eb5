import { formatMinutes } from '@sallyport/contract/formats'
import { DropZone } from '#/file-views/drop-zone.tsx'
import { LifetimeRing } from '#/motifs/hour-ring.tsx'
import { Menu, MenuChoice } from '#/ui/menu.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'

interface OwnDropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Files are held over the page. */
  readonly isOver: boolean
  /** The lifetime of the next file. */
  readonly expiryMinutes: number
  /** The lifetimes on offer, in minutes. */
  readonly expiryOptions: readonly number[]
  readonly onExpiryChange: (minutes: number) => void
  readonly disabled?: boolean
}

/** Where an account's own files come in, and how long the next ones will last. */
export function OwnDropZone({ expiryMinutes, expiryOptions, onExpiryChange, ...zone }: OwnDropZoneProps) {
  const isPhone = useIsPhone()
  return (
    <DropZone
      {...zone}
      pickerLabel="Files to seal"
      title={isPhone ? 'Tap to browse files, or paste from clipboard' : 'Drop files to seal them'}
      hint={
        isPhone
          ? undefined
          : `Drag and drop anywhere, paste with ${pasteKeys()}, or click to browse. Encrypted here, before upload.`
      }
    >
      <p className="pointer-events-none mt-4 flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-2 max-md:mt-1.5">
        <LifetimeRing minutes={expiryMinutes} />
        <span>
          {isPhone ? 'Expires after' : 'New files expire after'}{' '}
          <strong className="font-semibold text-ink">{formatMinutes(expiryMinutes)}</strong>
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
            value={String(expiryMinutes)}
            onValueChange={(value) => onExpiryChange(Number(value))}
            closeOnChoice
            choices={expiryOptions.map((minutes) => ({ value: String(minutes), label: formatMinutes(minutes) }))}
          />
        </Menu>
      </p>
    </DropZone>
  )
}

const changeClass =
  'pointer-events-auto relative -mx-1 min-h-6 rounded-segment px-1 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11'

function pasteKeys(): string {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘V' : 'Ctrl+V'
}
