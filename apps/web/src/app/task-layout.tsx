import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { Providers } from './providers.tsx'
import type { Services } from './services.ts'

interface TaskLayoutProps {
  readonly services: Services
}

/** For pages that a link leads to: they look the same to everybody, signed in or not. */
export function TaskLayout({ services }: TaskLayoutProps) {
  return (
    <Providers services={services}>
      <Suspense>
        <Outlet />
      </Suspense>
    </Providers>
  )
}
