import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ReauthenticationProvider } from '#/features/account/password-strength/reauthentication-context.ts'
import { SecurityProvider } from '#/features/account/security/security-context.ts'
import { ChatProvider } from '#/features/chat/chat-context.ts'
import { FilesProvider } from '#/features/files/files-context.ts'
import type { Account } from '#/lib/api/auth.ts'
import { createAccountSecurity, createReauthentication } from '../account-security.ts'
import { type AccountServices, createAccountServices } from '../account-services.ts'
import type { Services } from '../services.ts'
import { Shell } from './shell.tsx'

interface SignedInProps {
  readonly account: Account
  readonly services: Services
}

/** The app for one account: starts its background work and stops it on unmount. */
export function SignedIn({ account, services }: SignedInProps) {
  const [accountServices, setAccountServices] = useState<AccountServices | null>(null)

  // A layout effect, so that nothing is painted without them. Stopped services cannot restart: a hot update needs new ones.
  useLayoutEffect(() => {
    const created = createAccountServices(services)
    setAccountServices(created)
    return created.start()
  }, [services])

  return accountServices && <AccountApp account={account} services={services} accountServices={accountServices} />
}

interface AccountAppProps extends SignedInProps {
  readonly accountServices: AccountServices
}

function AccountApp({ account, services, accountServices }: AccountAppProps) {
  const reauthentication = useMemo(() => createReauthentication(services, account), [services, account])
  const security = useMemo(() => createAccountSecurity(services, account), [services, account])

  useEffect(() => services.portals.close, [services.portals])
  useRemoveHash()

  return (
    <FilesProvider value={accountServices.files}>
      <ChatProvider value={accountServices.chat}>
        <SecurityProvider value={security}>
          <ReauthenticationProvider value={reauthentication}>
            <Shell
              account={account}
              connectivity={services.connectivity}
              onSignOut={() => void accountServices.cancelUploads().finally(services.accounts.authController.signOut)}
            />
          </ReauthenticationProvider>
        </SecurityProvider>
      </ChatProvider>
    </FilesProvider>
  )
}

/** Removes the landing view from the URL fragment; it would show that view again at the next sign-out. */
function useRemoveHash(): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [pathname, search, hash, navigate])
}
