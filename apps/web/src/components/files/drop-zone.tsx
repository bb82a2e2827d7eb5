import { type ReactNode, useId, useRef } from 'react'
import { ArchLines } from '#/components/brand/arch-lines.tsx'
import { FilePicker } from '#/components/file-input/file-picker.tsx'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { intakeStrings } from '#/strings/intake.ts'

interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Whether files are dragged over the page. */
  readonly isOver: boolean
  readonly title: string
  readonly hint?: ReactNode
  /** The accessible name of the file picker. */
  readonly pickerLabel: string
  readonly disabled?: boolean
  /** Buttons next to Choose Files. */
  readonly extraActions?: ReactNode
  /** Rendered at the bottom. Its elements receive clicks only where they enable pointer events. */
  readonly children?: ReactNode
}

/** An area that accepts files. Clicking anywhere opens the file picker. */
export function DropZone(props: DropZoneProps) {
  const { onFiles, isOver, title, hint, pickerLabel, disabled = false, extraActions, children } = props
  const titleId = useId()
  const picker = useRef<HTMLInputElement>(null)

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
      <FilePicker
        ref={picker}
        label={pickerLabel}
        onFiles={onFiles}
        disabled={disabled}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
      />
      <h2 id={titleId} className="pointer-events-none heading text-lg max-md:font-semibold md:text-3xl">
        {title}
      </h2>
      {hint ? <p className="pointer-events-none mt-1.5 text-base text-ink-2">{hint}</p> : null}
      <div className="pointer-events-none relative mt-5 flex flex-wrap items-center justify-center gap-2.5 max-md:order-last max-md:w-full [&>button]:pointer-events-auto max-md:[&>button]:h-12 max-md:[&>button]:text-base">
        <Button variant="primary" disabled={disabled} onClick={() => picker.current?.click()} className="max-md:flex-1">
          {intakeStrings.chooseFiles}
        </Button>
        {extraActions}
      </div>
      {children}
    </section>
  )
}
