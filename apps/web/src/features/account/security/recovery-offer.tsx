import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Card } from '#/components/ui/card.tsx'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { CreateRecoveryKeyButton } from './create-recovery-key-button.tsx'
import { recoveryQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

const declinedQueryKey = ['recovery-offer-declined']

/** Suggests creating a recovery key to users who have none and have not declined. */
export function RecoveryOffer() {
  const { isRecoveryOfferDeclined, declineRecoveryOffer } = useSecurity()
  const queries = useQueryClient()
  const { data: createdAt } = useQuery(recoveryQuery(useCall()))
  const { data: isDeclined } = useQuery({
    queryKey: declinedQueryKey,
    queryFn: isRecoveryOfferDeclined,
    staleTime: Infinity,
  })
  if (createdAt !== null || isDeclined !== false) return null

  function decline() {
    queries.setQueryData(declinedQueryKey, true)
    // If saving fails, the suggestion is shown again at the next visit.
    declineRecoveryOffer().catch(() => undefined)
  }

  return (
    <Card aria-labelledby="recovery-offer-heading">
      <div className="flex items-start justify-between gap-3">
        <h2 id="recovery-offer-heading" className="heading text-lg">
          {securityStrings.offerTitle}
        </h2>
        <IconButton
          label={securityStrings.notNow}
          size="compact"
          className="close-corner"
          icon={<X aria-hidden size={18} strokeWidth={1.75} />}
          onClick={decline}
        />
      </div>
      <p className="mt-1 mb-3 text-sm text-ink-2">{securityStrings.offerText}</p>
      <CreateRecoveryKeyButton label={securityStrings.createRecovery} replaces={false} size="compact" />
    </Card>
  )
}
