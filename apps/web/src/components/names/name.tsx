import { type ComponentProps, useMemo } from 'react'
import { visibleName } from './visible-name.ts'

export interface NameProps extends Omit<ComponentProps<'bdi'>, 'children'> {
  readonly children: string
}

/** A name that another person may have chosen: it cannot reorder the text around it or hide a part of itself. */
export function Name({ children, ...props }: NameProps) {
  const shown = useMemo(() => visibleName(children), [children])
  return <bdi {...props}>{shown}</bdi>
}
