import { type ComponentProps, useMemo } from 'react'
import { classNames } from './class-names.ts'
import { splitExtension, visibleName } from './visible-text.ts'

interface NameProps extends Omit<ComponentProps<'bdi'>, 'children'> {
  readonly children: string
}

/** A name that another person may have chosen: it cannot reorder the text around it or hide a part of itself. */
export function Name({ children, ...props }: NameProps) {
  const shown = useMemo(() => visibleName(children), [children])
  return <bdi {...props}>{shown}</bdi>
}

/** Shorter names fit everywhere. */
const maxUncutLength = 24

/** A file name on one line. If it is too long it is cut in the middle, so that its extension stays visible. */
export function FileName({ children, className, ...props }: NameProps) {
  const shown = useMemo(() => visibleName(children), [children])
  const isLong = shown.length > maxUncutLength
  return (
    <bdi {...props} className={classNames('block truncate', className)}>
      {isLong ? <CutName name={shown} /> : shown}
    </bdi>
  )
}

/** Screen readers would pause between the two parts, so that they read a copy of the whole. */
function CutName({ name }: { readonly name: string }) {
  const { stem, extension } = splitExtension(name)
  return (
    <>
      <span className="sr-only select-none">{name}</span>
      <span aria-hidden style={{ '--extension': `${extension.length + 1}ch` } as never}>
        <span className="cut-name-stem">{stem}</span>
        {extension}
      </span>
    </>
  )
}
