import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Account } from '#/api/auth.ts'
import { ChatProvider } from '#/chat/chat-context.ts'
import { FilesProvider } from '#/files/files-context.ts'
import { PasswordProofProvider } from '#/passwords/password-proof-context.ts'
import { closePortal } from '#/portals/kept-portal.ts'
import { SecurityProvider } from '#/security/security-context.ts'
import { openAccountSecurity, openPasswordProof } from './account-security.ts'
import { openAccountWork } from './account-work.ts'
import type { Services } from './services.ts'
import { Shell } from './shell.tsx'

interface SignedInProps {
  readonly account: Account
  readonly services: Services
}

/** The product for one account: what works for it begins here and ends with it. */
export function SignedIn({ account, services }: SignedInProps) {
  const [work] = useState(() => openAccountWork(services))
  const [proof] = useState(() => openPasswordProof(services, account))
  const [security] = useState(() => openAccountSecurity(services, account))

  useEffect(() => work.start(), [work])
  useEffect(() => services.line.watch(), [services.line])
  useEffect(() => closePortal, [])
  useCleanAddress()

  return (
    <FilesProvider value={work.files}>
      <ChatProvider value={work.chat}>
        <SecurityProvider value={security}>
          <PasswordProofProvider value={proof}>
            <Shell
              account={account}
              line={services.line}
              onSignOut={() => void work.takeBack().finally(services.accounts.gate.signOut)}
            />
          </PasswordProofProvider>
        </SecurityProvider>
      </ChatProvider>
    </FilesProvider>
  )
}

/** The way in is kept in the address after #; once somebody is in, it would only lead back there at the next sign-out. */
function useCleanAddress(): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [pathname, search, hash, navigate])
}
