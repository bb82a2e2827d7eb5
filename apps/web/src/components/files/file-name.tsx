import { splitExtension } from '@sallyport/crypto'
import { useMemo } from 'react'
import type { NameProps } from '#/components/names/name.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { classNames } from '#/components/ui/class-names.ts'

/** Shorter names fit everywhere. */
const maxUncutLength = 24

/** A file name on one line. If it is too long it is cut in the middle, so that its extension stays visible. */
export function FileName({ children, className, title, ...props }: NameProps) {
  const shown = useMemo(() => visibleFileName(children), [children])
  const isLong = shown.length > maxUncutLength
  return (
    <bdi {...props} title={title && visibleFileName(title)} className={classNames('block truncate', className)}>
      {isLong ? <CutName shownName={shown} /> : shown}
    </bdi>
  )
}

/** Screen readers would pause between the two parts, so that they read a copy of the whole. */
function CutName({ shownName }: { readonly shownName: string }) {
  const { stem, extension } = splitExtension(shownName)
  return (
    <>
      <span className="sr-only select-none">{shownName}</span>
      <span aria-hidden style={{ '--extension': `${extension.length + 1}ch` } as never}>
        <span className="cut-name-stem">{stem}</span>
        {extension}
      </span>
    </>
  )
}
