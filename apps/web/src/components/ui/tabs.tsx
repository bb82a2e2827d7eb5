import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface TabsProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly className?: string
  readonly children: ReactNode
}

/** Tabs with a segmented control; arrow keys move between the tabs. */
export function Tabs<Value extends string>({ value, onValueChange, className, children }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onValueChange(next as Value)} className={className}>
      {children}
    </Base.Root>
  )
}

interface TabListProps<Value extends string> {
  /** Accessible name of the tab list. */
  readonly label: string
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly className?: string
}

export function TabList<Value extends string>({ label, tabs, className }: TabListProps<Value>) {
  return (
    <Base.List aria-label={label} activateOnFocus className={classNames(segmentedClass, className)}>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className={segmentClass}>
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
  )
}

interface TabPanelProps {
  readonly value: string
  readonly className?: string
  readonly children: ReactNode
}

export function TabPanel({ value, className, children }: TabPanelProps) {
  return (
    // The panel contains focusable controls, so it is not in the tab order itself.
    <Base.Panel value={value} tabIndex={-1} className={classNames('rounded-control', className)}>
      {children}
    </Base.Panel>
  )
}

/** Classes of a segmented control, also used for navigation links. */
export const segmentedClass = 'flex flex-wrap gap-0.5 rounded-[10px] bg-sunken p-[3px] forced-colors:border'

/** Classes of one segment; it is raised if it is the active tab, the current page or the pressed button. */
export const segmentClass =
  'inline-flex min-h-8.5 flex-1 items-center justify-center gap-1.5 rounded-segment border border-transparent px-3.5 text-sm font-semibold max-[22.5rem]:px-2 ' +
  'whitespace-nowrap text-ink-2 transition-[background-color,color] duration-140 hover:text-ink focus-visible:-outline-offset-2 ' +
  'pointer-coarse:min-h-11 ' +
  'data-active:border-line data-active:bg-surface data-active:text-ink data-active:shadow-rest ' +
  'aria-[current=page]:border-line aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:shadow-rest ' +
  'forced-colors:forced-color-adjust-none forced-colors:text-[ButtonText] ' +
  'forced-colors:data-active:bg-[Highlight] forced-colors:data-active:text-[HighlightText] ' +
  'forced-colors:aria-[current=page]:bg-[Highlight] forced-colors:aria-[current=page]:text-[HighlightText]'
