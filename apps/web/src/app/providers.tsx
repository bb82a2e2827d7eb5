import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AccountsProvider } from '#/accounts/accounts-context.ts'
import { ApiProvider } from '#/api/api-context.ts'
import { SessionsProvider } from '#/sessions/sessions-context.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import type { Services } from './services.ts'

interface ProvidersProps {
  readonly services: Services
  readonly children: ReactNode
}

/** What the pages stand on, for all that is under it. */
export function Providers({ services, children }: ProvidersProps) {
  return (
    <CrashBoundary>
      <QueryClientProvider client={services.queries}>
        <ApiProvider value={services.api}>
          <AccountsProvider value={services.accounts}>
            <SessionsProvider value={services.sessions}>{children}</SessionsProvider>
          </AccountsProvider>
        </ApiProvider>
      </QueryClientProvider>
    </CrashBoundary>
  )
}
