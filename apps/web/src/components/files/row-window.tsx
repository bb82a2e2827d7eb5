import { type Ref, startTransition, useEffect, useRef, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { fileListStrings } from '#/strings/lists/file-list.ts'

/** Rows rendered at first, and with each step that the user scrolls. Thousands at once would block the page. */
const stepCount = 200
/** With this many new rows at once a long list is in a burst, and only its first rows are rendered until it ends. */
const burstCount = 20
const countInBurst = 12
/** A burst has ended when no row was added for this long; its batches come more often. */
const quietMs = 5000
/** Rows are added before the user reaches the end. */
const scrollMargin = '800px'

/** The rendered part of a long list; `hiddenCount` rows are not rendered yet. */
export function useRowWindow<Row>(rows: readonly Row[]) {
  const { length } = rows
  const [maxCount, setMaxCount] = useState(stepCount)
  const [previousLength, setPreviousLength] = useState(length)
  if (previousLength !== length) {
    setPreviousLength(length)
    // New rows push the others out of view, unless the user has scrolled to them.
    const isBurst = length > stepCount && length - previousLength >= burstCount && scrollY < innerHeight
    if (isBurst && maxCount === stepCount) setMaxCount(countInBurst)
  }

  useEffect(() => {
    if (maxCount >= stepCount || length <= maxCount) return
    const timer = setTimeout(() => startTransition(() => setMaxCount(stepCount)), quietMs)
    return () => clearTimeout(timer)
  }, [length, maxCount])

  const shown = length > maxCount ? rows.slice(0, maxCount) : rows
  return {
    shown,
    hiddenCount: length - shown.length,
    // In a burst the end of the few rows is in view without any scrolling.
    showMore: () => startTransition(() => setMaxCount((count) => (isBeforeScroll(count) ? count : count + stepCount))),
    showAll: () => startTransition(() => setMaxCount(Number.POSITIVE_INFINITY)),
  }
}

const isBeforeScroll = (count: number): boolean => count < stepCount && scrollY === 0

interface HiddenRowsProps {
  readonly count: number
  readonly onShowMore: () => void
  readonly onShowAll: () => void
}

/**
 * The end of a long list: more rows follow when it is scrolled into view. The button renders all of them, also for the
 * browser's own search.
 */
export function HiddenRows({ count, onShowMore, onShowAll }: HiddenRowsProps) {
  const element = useRef<HTMLDivElement>(null)

  // Observed again after each step, because the end may still be in view.
  useEffect(() => {
    if (!element.current || count === 0) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onShowMore()
      },
      { rootMargin: scrollMargin },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  })

  return (
    <ListEnd
      ref={element}
      text={fileListStrings.hiddenRows(count)}
      action={fileListStrings.showAll}
      onAction={onShowAll}
    />
  )
}

interface ListEndProps {
  readonly ref?: Ref<HTMLDivElement>
  readonly text: string
  readonly action: string
  readonly onAction: () => void
}

/** Says how many rows of a list are not shown, with a button that shows more. */
export function ListEnd({ ref, text, action, onAction }: ListEndProps) {
  return (
    <div
      ref={ref}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-[var(--card-padding)] py-2.5 text-sm text-ink-2"
    >
      <p>{text}</p>
      <Button variant="quiet" size="compact" className="-me-3 max-md:-ms-3" onClick={onAction}>
        {action}
      </Button>
    </div>
  )
}
