import { formatMinutes } from '@sallyport/contract/formats'
import { type ChangeEvent, useId, useRef } from 'react'
import { ArchLines } from '#/motifs/arch-lines.tsx'
import { LifetimeRing } from '#/motifs/hour-ring.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { Menu, MenuChoice } from '#/ui/menu.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'

interface DropZoneProps {
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

/** Where files come in: a press anywhere on it opens the browser's file picker. */
export function DropZone(props: DropZoneProps) {
  const { onFiles, isOver, expiryMinutes, expiryOptions, onExpiryChange, disabled = false } = props
  const isPhone = useIsPhone()
  const titleId = useId()
  const picker = useRef<HTMLInputElement>(null)

  function takeFiles(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.target.files ?? [])]
    // The same file may be chosen again later; without this the browser would not tell.
    event.target.value = ''
    if (files.length > 0) onFiles(files)
  }

  return (
    <section
      aria-labelledby={titleId}
      className={classNames(
        'relative isolate grid justify-items-center overflow-hidden rounded-zone border bg-surface text-center shadow-rest transition-colors duration-140',
        'px-4.5 py-7 md:px-7 md:py-8.5',
        isOver ? 'border-seal' : 'border-line',
      )}
    >
      <ArchLines open={isOver} legs={40} className="zone-arches absolute max-md:hidden inset-0 -z-10 size-full" />
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to seal"
        title=""
        disabled={disabled}
        onChange={takeFiles}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
      />
      <h2 id={titleId} className="pointer-events-none heading text-lg max-md:font-semibold md:text-3xl">
        {isPhone ? 'Tap to browse files, or paste from clipboard' : 'Drop files to seal them'}
      </h2>
      {isPhone ? null : (
        <p className="pointer-events-none mt-1.5 text-base text-ink-2">
          Drag and drop anywhere, paste with {pasteKeys()}, or click to browse. Encrypted here, before upload.
        </p>
      )}
      <Button
        variant="primary"
        disabled={disabled}
        onClick={() => picker.current?.click()}
        className="relative mt-5 max-md:order-last max-md:h-12 max-md:w-full max-md:text-base"
      >
        Choose Files
      </Button>
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
    </section>
  )
}

const changeClass =
  'pointer-events-auto relative -mx-1 min-h-6 rounded-segment px-1 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11'

function pasteKeys(): string {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘V' : 'Ctrl+V'
}
