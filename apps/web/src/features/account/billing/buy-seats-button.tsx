import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from '#/components/ui/button.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { useOpenPaymentUrl } from '#/lib/payments/use-open-payment-url.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fewestSeatsOf } from '../sign-up/plans.ts'
import { startSeatsCheckout } from './checkout.ts'
import { useBuyer } from './use-buyer.ts'

interface BuySeatsButtonProps {
  /** Of the organization. */
  readonly name: string
  readonly usedSeats: number
}

/** Buys the seats of an organization again, as many as it uses at least. */
export function BuySeatsButton({ name, usedSeats }: BuySeatsButtonProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const buyer = useBuyer()
  const openPayment = useOpenPaymentUrl()
  const buying = useMutation({
    async mutationFn() {
      const quantity = Math.max(usedSeats, fewestSeatsOf(config?.plans ?? []))
      await openPayment(await startSeatsCheckout(buyer, { organizationName: name, quantity }))
    },
    networkMode: 'always',
  })
  return (
    <>
      {buying.error ? <span role="alert">{messageFor(buying.error, upgradeStrings.checkoutFailedUnknown)}</span> : null}
      <Button
        size="compact"
        busy={buying.isPending}
        busyLabel={upgradeStrings.creating}
        disabled={config === undefined}
        onClick={() => buying.mutate()}
      >
        {upgradeStrings.checkout}
      </Button>
    </>
  )
}
