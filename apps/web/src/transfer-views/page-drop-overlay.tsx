import { ArchLines } from '#/motifs/arch-lines.tsx'

interface PageDropOverlayProps {
  readonly open: boolean
  /** 0 where the browser does not tell before the drop. */
  readonly fileCount: number
}

/** Covers the page while files are held over it: the whole page is the target. */
export function PageDropOverlay({ open, fileCount }: PageDropOverlayProps) {
  return (
    <div className="drop-overlay" data-open={open || undefined} aria-hidden={!open}>
      <div className="grid justify-items-center gap-5 rounded-zone bg-bg px-10 pb-6">
        <ArchLines open={open} className="w-64" />
        <p role="status" className="heading-large text-4xl">
          {open ? `Drop to seal ${countFiles(fileCount)}` : null}
        </p>
      </div>
    </div>
  )
}

function countFiles(count: number): string {
  if (count === 0) return 'files'
  return count === 1 ? '1 file' : `${count} files`
}
