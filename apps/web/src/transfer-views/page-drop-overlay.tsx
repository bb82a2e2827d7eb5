import { ArchLines } from '#/motifs/arch-lines.tsx'
import { intakeWords } from '#/words/intake.ts'

interface PageDropOverlayProps {
  readonly open: boolean
  /** 0 where the browser does not tell before the drop. */
  readonly fileCount: number
  /** Some of what is held may be folders. */
  readonly maybeFolders?: boolean
  /** What a drop does, where it is not to be sealed for oneself. */
  readonly words?: (fileCount: number) => string
}

/** Covers the page while files are held over it: the whole page is the target. */
export function PageDropOverlay({
  open,
  fileCount,
  maybeFolders = false,
  words = intakeWords.dropFiles,
}: PageDropOverlayProps) {
  const label = maybeFolders && fileCount > 0 ? intakeWords.dropItems(fileCount) : words(fileCount)
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
