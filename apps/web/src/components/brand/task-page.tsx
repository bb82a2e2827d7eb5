import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Button, type ButtonProps, buttonClass } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { productName } from '#/strings/product.ts'
import { shellStrings } from '#/strings/shell.ts'
import { EmptyGate } from './gate-illustrations.tsx'
import { Brand } from './logo.tsx'

interface TaskPageProps {
  readonly children: ReactNode
}

/** A page for a single task: the logo and one card. */
export function TaskPage({ children }: TaskPageProps) {
  return (
    <div className="grid min-h-dvh content-start justify-items-center px-5 pt-16 pb-16 max-md:pt-10 md:pt-24">
      <header>
        <Link to="/" className="inline-flex rounded-segment" aria-label={shellStrings.logoToStart(productName)}>
          <Brand />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="mt-7 w-full max-w-form outline-none">
        <Card depth="float" className="p-5.5!">
          {children}
        </Card>
      </main>
    </div>
  )
}

/** The link to the next step, below everything else. */
export const TaskLink = (props: LinkProps) => (
  <Link {...props} className={`${buttonClass('primary', 'large')} mt-5 w-full`} />
)

/** The button for the next step, where no other page has it. */
export const TaskButton = (props: ButtonProps) => (
  <Button {...props} variant="primary" size="large" className="mt-5 w-full" />
)

export interface TaskFailureProps {
  readonly title: string
  readonly details: string
  /** What the user can do next. */
  readonly children: ReactNode
}

/** Explains why the task cannot be done. */
export function TaskFailure({ title, details, children }: TaskFailureProps) {
  return (
    <>
      <EmptyGate className="size-24" />
      <h1 className="mt-4 heading text-2xl">{title}</h1>
      <p className="mt-2 text-sm text-ink-2 wrap-anywhere">{details}</p>
      {children}
    </>
  )
}

/** Announces why the task cannot be done. */
export const TaskAlert = (props: TaskFailureProps) => (
  <div role="alert" className="grid justify-items-center text-center">
    <TaskFailure {...props} />
  </div>
)
