import { ArchLines } from '#/components/brand/arch-lines.tsx'
import { intakeStrings } from '#/strings/intake.ts'

interface PageDropOverlayProps {
  readonly open: boolean
  /** 0 where the browser does not report it before the drop. */
  readonly fileCount: number
  /** Whether the dragged items may contain folders. */
  readonly mayContainFolders?: boolean
  /** The label where a drop does something other than uploading to the account. */
  readonly formatLabel?: (fileCount: number) => string
}

/** Covers the page while files are dragged over it. The whole page is the drop target. */
export function PageDropOverlay({
  open,
  fileCount,
  mayContainFolders = false,
  formatLabel = intakeStrings.dropFiles,
}: PageDropOverlayProps) {
  const label = mayContainFolders && fileCount > 0 ? intakeStrings.dropItems(fileCount) : formatLabel(fileCount)
  return (
    <div className="drop-overlay" data-open={open || undefined} aria-hidden={!open}>
      <div className="grid justify-items-center gap-5 rounded-zone bg-bg px-10 pb-6">
        <ArchLines open={open} className="w-64" />
        <p role="status" className="heading-large text-center text-4xl">
          {open ? label : null}
        </p>
      </div>
    </div>
  )
}
