import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface CardProps extends ComponentProps<'section'> {
  /** `float` is for the main card of a page. */
  readonly depth?: 'rest' | 'float'
  /** False for cards whose rows reach the edges. */
  readonly padded?: boolean
}

export function Card({ depth = 'rest', padded = true, className, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={classNames(
        'min-w-0 rounded-card border border-line bg-surface',
        depth === 'float' ? 'shadow-float' : 'shadow-rest',
        padded && 'pad-card',
        className,
      )}
    />
  )
}

interface CardHeadingProps {
  readonly title: ReactNode
  readonly id?: string
  /** Lets scripts move the focus to it. */
  readonly focusable?: boolean
  readonly level?: 2 | 3
  /** A number next to the title. */
  readonly count?: ReactNode
  readonly children?: ReactNode
  readonly className?: string
}

/** Title, count and, at the far end, the card's actions. */
export function CardHeading({ title, id, focusable = false, level = 2, count, children, className }: CardHeadingProps) {
  const Heading = `h${level}` as const
  return (
    <header className={classNames('flex flex-wrap items-center justify-between gap-x-4 gap-y-2', className)}>
      <div className="flex min-w-0 items-baseline gap-2.5">
        <Heading id={id} tabIndex={focusable ? -1 : undefined} className="heading text-xl outline-none">
          {title}
        </Heading>
        {count === undefined ? null : <span className="num text-ink-3">{count}</span>}
      </div>
      {children ? <div className="flex items-center gap-2.5">{children}</div> : null}
    </header>
  )
}
