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
  const { data: user } = useQuery({ ...userInfoQuery(useCall()), refetchInterval: lookEveryMs })
  const isGood = user !== undefined && (user.license_expires_at === null || user.license_expires_at > Date.now())
  useTitle(`${upgradeWords.title} · ${productName}`)

  useEffect(() => {
    if (isGood) onUpgraded()
  }, [isGood, onUpgraded])

  const isTrial = isTrialOver || user?.license_type === 'trial'
  return <UpgradeDialog open isTrialOver={isTrial} message={message} onClose={null} onSignOut={onSignOut} />
}
