import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { Providers } from '../providers.tsx'
import type { Services } from '../services.ts'

interface TaskLayoutProps {
  readonly services: Services
}

/** Layout of pages that are opened by a link. They look the same whether the user is signed in or not. */
export function TaskLayout({ services }: TaskLayoutProps) {
  return (
    <Providers services={services}>
      <Suspense>
        <Outlet />
      </Suspense>
    </Providers>
  )
}
