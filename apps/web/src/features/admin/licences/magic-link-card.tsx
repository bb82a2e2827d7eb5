import { adminOffers, OfferedLicence, offerLimits } from '@sallyport/contract/admin-offers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { copyText } from '#/components/ui/copy-text.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { adminLicencesStrings as strings } from '#/strings/admin/licences.ts'
import { formatDate } from '#/strings/format.ts'
import { adminKey } from '../admin.queries.ts'
import { licenceLabel } from '../licence-badge.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { parseDays } from '../user/parse-days.ts'
import { changeErrorMessage, type ReauthGuard } from '../user/use-change.ts'
import { magicLinkOf } from './magic-link.ts'

interface CreatedLink {
  readonly url: string
  readonly expiresAt: number
}

/** Creates an invitation and shows its link, which nobody can see again. */
export function MagicLinkCard({ guard, reauthDialog }: ReauthGuard) {
  const call = useAdminCall()
  const queries = useQueryClient()
  const [created, setCreated] = useState<CreatedLink | null>(null)
  const form = useForm({
    initial: { type: 'vip', description: '', days: String(offerLimits.expiryDays) },
    validate: ({ days }) => (isDays(days) ? null : { days: strings.daysInvalid(offerLimits.expiryDays) }),
    async onSubmit({ type, description, days }) {
      const body = {
        license_type: OfferedLicence.parse(type),
        description: description.trim(),
        expiry_days: Number(days),
      }
      const { magic_link, expires_at } = await guard(() => call(adminOffers.createMagicLink, { body }))
      setCreated({ url: magicLinkOf(magic_link, location.origin), expiresAt: expires_at })
      form.setValue('description', '')
      await queries.invalidateQueries({ queryKey: adminKey })
    },
    describeError: (error) => changeErrorMessage(error, strings.createFailed),
  })

  return (
    <Card aria-labelledby="magic-link-heading">
      <CardHeading id="magic-link-heading" title={strings.createHeading} />
      <p className="mt-1.5 mb-4 text-sm text-ink-2">{strings.createText}</p>
      <Form form={form}>
        <Select
          label={strings.type}
          options={OfferedLicence.options.map((type) => ({ value: type, label: licenceLabel(type) }))}
          {...form.text('type')}
        />
        <TextField
          label={strings.description}
          hint={strings.descriptionHint}
          name="description"
          autoComplete="off"
          maxLength={offerLimits.descriptionCharacters}
          {...form.text('description')}
        />
        <TextField
          label={strings.expiryDays}
          hint={strings.daysHint(offerLimits.expiryDays)}
          name="days"
          inputMode="numeric"
          autoComplete="off"
          {...form.text('days')}
        />
        <Submit form={form} label={strings.create} busyLabel={strings.creating} />
      </Form>
      {created ? <NewLink {...created} /> : null}
      {form.isBusy ? reauthDialog : null}
    </Card>
  )
}

function isDays(text: string): boolean {
  const days = parseDays(text)
  return days !== null && days <= offerLimits.expiryDays
}

function NewLink({ url, expiresAt }: CreatedLink) {
  return (
    <div role="status" className="mt-4 grid gap-2 rounded-control border border-soft-border bg-seal-soft p-3.5">
      <p className="text-sm font-semibold text-seal">{strings.link}</p>
      <code className="font-mono text-xs wrap-anywhere select-all">{url}</code>
      <p className="text-xs text-ink-2">{strings.shownOnce(formatDate(expiresAt))}</p>
      <CopyButton label={strings.copy} className="justify-self-start" onCopy={() => copyText(Promise.resolve(url))} />
    </div>
  )
}
