import { ApiError } from '@sallyport/client/errors'
import { organizationLimits } from '@sallyport/contract/limits'
import { organizations } from '@sallyport/contract/organizations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { Button } from '#/components/ui/button.tsx'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { formatPrice } from '#/lib/format-price.ts'
import { paymentUrlOf } from '#/lib/payments/payment-url.ts'
import { useOpenPaymentUrl } from '#/lib/payments/use-open-payment-url.ts'
import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface AddSeatsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** Called with the sentence of the server. */
  readonly onAdded: (message: string) => void
}

export const AddSeatsDialog = ({ open, onClose, onAdded }: AddSeatsDialogProps) => (
  <Dialog open={open} onOpenChange={onClose} title={organizationStrings.addSeats}>
    <AddSeatsForm onClose={onClose} onAdded={onAdded} />
  </Dialog>
)

/** Shows what more seats cost before they are bought. A click that is repeated buys them once. */
function AddSeatsForm({ onClose, onAdded }: Omit<AddSeatsDialogProps, 'open'>) {
  const requestKey = useRef(crypto.randomUUID())
  const adding = useOrganizationChange((call, additional_seats: number) =>
    call(organizations.addSeats, {
      headers: { 'idempotency-key': requestKey.current },
      body: { additional_seats },
    }),
  )
  const form = useForm({
    initial: { count: '1' },
    async onSubmit({ count }) {
      try {
        const { message } = await adding.mutateAsync(seatsIn(count))
        onClose()
        onAdded(message)
      } catch (error) {
        // After every other failure the seats may have been bought: the next attempt has to be the same request.
        if (hasNotPaid(error)) requestKey.current = crypto.randomUUID()
        throw error
      }
    },
    failed: organizationStrings.addFailed,
  })
  const { count } = form.values
  return (
    <Form form={form} className="grid gap-5">
      <TextField
        label={organizationStrings.count}
        type="number"
        name="seats"
        inputMode="numeric"
        min={1}
        max={organizationLimits.addedSeats}
        step={1}
        autoComplete="off"
        className="num"
        {...form.text('count')}
        onBlur={() => form.setValue('count', String(seatsIn(count)))}
      />
      <SeatsPrice count={seatsIn(count)} />
      <DialogSubmit
        form={form}
        label={organizationStrings.add}
        busyLabel={organizationStrings.adding}
        onCancel={onClose}
      >
        <ConfirmPayment error={form.error} onOpened={onClose} />
      </DialogSubmit>
    </Form>
  )
}

/** Whether the server has answered that the seats were not paid, and have not been added. */
const hasNotPaid = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'PAYMENT_DECLINED' || error.code === 'PAYMENT_UNCONFIRMED')

interface ConfirmPaymentProps {
  /** Why the seats were not added. */
  readonly error: unknown
  /** Called when the browser is back. */
  readonly onOpened: () => void
}

/** Leads to the page on which the bank asks for a confirmation. The seats are there after it. */
function ConfirmPayment({ error, onOpened }: ConfirmPaymentProps) {
  const openPayment = useOpenPaymentUrl()
  const url = payUrlOf(error)
  const confirming = useOrganizationChange((_, payUrl: string) => openPayment(payUrl), onOpened)
  if (url === null) return null
  return (
    <Button
      className="justify-self-start"
      busy={confirming.isPending}
      busyLabel={subscriptionStrings.opening}
      onClick={() => confirming.mutate(url)}
    >
      {organizationStrings.confirmPayment}
    </Button>
  )
}

/** Null for every other error, and for a URL that the server must not lead to. */
function payUrlOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'PAYMENT_UNCONFIRMED') return null
  try {
    return paymentUrlOf('invoice', String(error.details?.['pay_url']))
  } catch {
    return null
  }
}

/** A whole number from 1 on; everything else is 1. */
function seatsIn(text: string): number {
  const count = Math.trunc(Number(text))
  return Number.isSafeInteger(count) && count >= 1 ? count : 1
}

function SeatsPrice({ count }: { readonly count: number }) {
  const call = useCall()
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['seats-preview', count],
    queryFn: () => call(organizations.previewSeats, { body: { additional_seats: count } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const price =
    data &&
    !isPlaceholderData &&
    organizationStrings.preview(formatPrice(data.now_cents), formatPrice(data.monthly_cents))
  return (
    <p role="status" className="min-h-10 text-sm text-ink-2">
      {error ? messageFor(error, organizationStrings.previewFailed) : price || organizationStrings.previewing}
    </p>
  )
}
