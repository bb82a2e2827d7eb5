import { formatBytes } from '@sallyport/contract/formats'
import { foldersOf, lastPartOf } from '@sallyport/crypto'
import { Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { FileName } from '#/components/files/file-name.tsx'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { fileStrings } from '#/strings/files.ts'
import { FileIcon } from './file-icon.tsx'

interface FileRowFrameProps {
  readonly name: string
  readonly sizeBytes: number
  readonly isExpired: boolean
  /** The rendered name. */
  readonly title: ReactNode
  /** Shown next to the size: the time left and badges. */
  readonly metadata: ReactNode
  readonly actions: ReactNode
  /** Whether the link that opened the page points to this file. The row is scrolled to and marked. */
  readonly isLinked?: boolean
}

/** A file in a list: its icon, name, metadata and actions. */
export function FileRowFrame({
  name,
  sizeBytes,
  isExpired,
  title,
  metadata,
  actions,
  isLinked = false,
}: FileRowFrameProps) {
  return (
    <li
      data-expired={isExpired || undefined}
      aria-current={isLinked || undefined}
      ref={isLinked ? scrollToRow : undefined}
      className="file-row flex flex-wrap items-center gap-x-3.5 gap-y-3 px-[var(--card-padding)] py-3.5 md:py-4"
    >
      <div className="flex min-w-0 flex-[1_1_15rem] items-center gap-3.5">
        <FileIcon name={name} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start">
          {title}
          <div className="flex flex-wrap items-center gap-x-3.5 text-xs text-ink-2">
            <span className="num whitespace-nowrap">{formatBytes(sizeBytes)}</span>
            {metadata}
            <FolderPath path={foldersOf(name)} />
          </div>
        </div>
      </div>
      {actions}
    </li>
  )
}

const scrollToRow = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'center' })

/** Shortens a long name and shows it completely in a tooltip. */
export function RowName({ name }: { readonly name: string }) {
  return (
    <FileName className="file-name w-full max-w-name text-base font-semibold" title={name}>
      {lastPartOf(name)}
    </FileName>
  )
}

/** The folder path that the file was uploaded with. */
function FolderPath({ path }: { readonly path: string }) {
  if (path === '') return null
  return (
    <span className="flex min-w-0 items-center gap-1 text-ink-3" title={visibleName(path)}>
      <Folder aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span className="sr-only">{fileStrings.inFolder} </span>
      <Name className="max-w-44 truncate">{path}</Name>
    </span>
  )
}
