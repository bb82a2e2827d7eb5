import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '#/ui/card.tsx'
import { Brand } from './mark.tsx'

interface TaskPageProps {
  readonly children: ReactNode
}

/** A page with one thing to do: the mark, and a card under it. */
export function TaskPage({ children }: TaskPageProps) {
  return (
    <div className="grid min-h-dvh content-start justify-items-center px-5 pt-16 pb-16 max-md:pt-10 md:pt-24">
      <header>
        <Link to="/" className="inline-flex rounded-segment" aria-label="Sallyport, start page">
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
