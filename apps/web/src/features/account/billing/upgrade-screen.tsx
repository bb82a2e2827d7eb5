import { accounts } from '@sallyport/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { productName } from '#/strings/product.ts'
import { UpgradeDialog } from './upgrade-dialog.tsx'

interface UpgradeScreenProps {
  readonly isTrialOver: boolean
  readonly message: string | null
  readonly onSignOut: () => void
  /** The licence is valid again. */
  readonly onUpgraded: () => void
}

const pollIntervalMs = 10_000

/** The only screen for a user whose licence has expired; polls until the licence is valid again. */
export function UpgradeScreen({ isTrialOver, message, onSignOut, onUpgraded }: UpgradeScreenProps) {
  const call = useCall()
  const { data: user } = useQuery(userInfoQuery(call))
  // The server decides, because clocks differ: a call that requires a licence succeeds once the licence is valid.
  const { isSuccess: isLicenceValid } = useQuery({
    queryKey: ['licence-is-good'],
    queryFn: () => call(accounts.settings, {}),
    refetchInterval: pollIntervalMs,
    staleTime: 0,
    gcTime: 0,
  })
  useTitle(`${upgradeStrings.title} · ${productName}`)

  useEffect(() => {
    if (isLicenceValid) onUpgraded()
  }, [isLicenceValid, onUpgraded])

  const isTrial = isTrialOver || user?.license_type === 'trial'
  // After a reload the server's message is gone.
  const text = message ?? (isTrial ? upgradeStrings.trialOverText : upgradeStrings.licenceOverText)
  return <UpgradeDialog open isTrialOver={isTrial} message={text} onClose={null} onSignOut={onSignOut} />
}
