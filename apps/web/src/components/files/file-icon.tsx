import { Archive, File, FileCode, FileText, Image, type LucideIcon, Music, SquarePlay, Table2 } from 'lucide-react'
import { type FileKind, fileKind } from './file-kind.ts'

interface FileIconProps {
  readonly name: string
}

/** An icon for the kind of file. */
export function FileIcon({ name }: FileIconProps) {
  const Icon = icons[fileKind(name)]
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </span>
  )
}

const icons: Record<FileKind, LucideIcon> = {
  archive: Archive,
  audio: Music,
  code: FileCode,
  document: FileText,
  image: Image,
  other: File,
  table: Table2,
  video: SquarePlay,
}
