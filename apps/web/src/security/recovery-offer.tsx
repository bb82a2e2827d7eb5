import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useCall } from '#/api/api-context.ts'
import { Card } from '#/ui/card.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { securityWords } from '#/words/security.ts'
import { MakeRecoveryKey } from './make-recovery-key.tsx'
import { recoveryQuery } from './security.queries.ts'
import { useSecurity } from './security-context.ts'

const declinedKey = ['recovery-offer-declined']

/** For somebody who has no recovery key and has not yet said that they want none. */
export function RecoveryOffer() {
  const { isOfferDeclined, declineOffer } = useSecurity()
  const queries = useQueryClient()
  const { data: madeAt } = useQuery(recoveryQuery(useCall()))
  const { data: isDeclined } = useQuery({ queryKey: declinedKey, queryFn: isOfferDeclined, staleTime: Infinity })
  if (madeAt !== null || isDeclined !== false) return null

  function decline() {
    queries.setQueryData(declinedKey, true)
    // Where it cannot be kept, the offer is made again another day.
    declineOffer().catch(() => undefined)
  }

  return (
    <Card aria-labelledby="recovery-offer-heading">
      <div className="flex items-start justify-between gap-3">
        <h2 id="recovery-offer-heading" className="heading text-lg">
          {securityWords.offerTitle}
        </h2>
        <IconButton
          label={securityWords.notNow}
          size="compact"
          className="close-corner"
          icon={<X aria-hidden size={18} strokeWidth={1.75} />}
          onClick={decline}
        />
      </div>
      <p className="mt-1 mb-3 text-sm text-ink-2">{securityWords.offerText}</p>
      <MakeRecoveryKey label={securityWords.makeRecovery} replaces={false} size="compact" />
    </Card>
  )
}
