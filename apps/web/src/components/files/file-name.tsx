import { splitExtension } from '@sallyport/crypto'
import { useMemo } from 'react'
import type { NameProps } from '#/components/names/name.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { classNames } from '#/components/ui/class-names.ts'

/** Shorter names fit everywhere. */
const maxUncutLength = 24
/** A longer extension, such as one with marked characters, would leave no room for the rest. */
const maxExtension = 16

/** A file name on one line. If it is too long it is cut, in the middle if its extension can stay visible. */
export function FileName({ children, className, title, ...props }: NameProps) {
  const shown = useMemo(() => visibleFileName(children), [children])
  const isCut = shown.length > maxUncutLength && splitExtension(shown).extension.length <= maxExtension
  return (
    <bdi {...props} title={title && visibleFileName(title)} className={classNames('block truncate', className)}>
      {isCut ? <CutName shownName={shown} /> : shown}
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
