import { accounts } from '@sallyport/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { userInfoQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { upgradeWords } from '#/words/upgrade.ts'
import { UpgradeDialog } from './upgrade-dialog.tsx'

interface UpgradeScreenProps {
  readonly isTrialOver: boolean
  readonly message: string | null
  readonly onSignOut: () => void
  /** The licence is good again. */
  readonly onUpgraded: () => void
}

const lookEveryMs = 60_000

/** All there is for somebody whose licence has ended; looks now and then whether there is another. */
export function UpgradeScreen({ isTrialOver, message, onSignOut, onUpgraded }: UpgradeScreenProps) {
  const call = useCall()
  const { data: user } = useQuery(userInfoQuery(call))
  // The server decides, since clocks differ: what wants a licence is answered again once there is one.
  const { isSuccess: isGood } = useQuery({
    queryKey: ['licence-is-good'],
    queryFn: () => call(accounts.settings, {}),
    refetchInterval: lookEveryMs,
    staleTime: 0,
    gcTime: 0,
  })
  useTitle(`${upgradeWords.title} · ${productName}`)

  useEffect(() => {
    if (isGood) onUpgraded()
  }, [isGood, onUpgraded])

  const isTrial = isTrialOver || user?.license_type === 'trial'
  return <UpgradeDialog open isTrialOver={isTrial} message={message} onClose={null} onSignOut={onSignOut} />
}
