import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AccountsProvider } from '#/features/account/accounts-context.ts'
import { PortalEntryProvider } from '#/features/portals/portal-entry.ts'
import { SessionsProvider } from '#/features/sessions/sessions-context.ts'
import { ApiProvider } from '#/lib/api/api-context.ts'
import { CrashBoundary } from './layout/crash-boundary.tsx'
import type { Services } from './services.ts'

interface ProvidersProps {
  readonly services: Services
  readonly children: ReactNode
}

/** Provides the services to all pages below. */
export function Providers({ services, children }: ProvidersProps) {
  return (
    <CrashBoundary>
      <QueryClientProvider client={services.queries}>
        <ApiProvider value={services.api}>
          <AccountsProvider value={services.accounts}>
            <PortalEntryProvider value={services.portals}>
              <SessionsProvider value={services.sessions}>{children}</SessionsProvider>
            </PortalEntryProvider>
          </AccountsProvider>
        </ApiProvider>
      </QueryClientProvider>
    </CrashBoundary>
  )
}
