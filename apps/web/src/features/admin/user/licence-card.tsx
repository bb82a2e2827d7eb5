import type { UserDetail } from '@sallyport/contract/admin'
import { LicenceType } from '@sallyport/contract/licence-types'
import { useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { licenceLabel } from '../licence-badge.tsx'
import { OptionalDate } from '../times.tsx'
import { Detail, DetailList } from './detail-list.tsx'
import { useUserActions } from './user-actions.tsx'

export function LicenceCard({ detail: { user, abilities } }: { readonly detail: UserDetail }) {
  const { ask } = useUserActions()
  const endsAt = user.license_expires_at
  return (
    <Card aria-labelledby="license-heading">
      <CardHeading id="license-heading" title={adminUserStrings.license}>
        {abilities['extend-licence'] ? (
          <Button size="compact" onClick={() => ask({ type: 'extend-licence' })}>
            {adminUserStrings.extend}
          </Button>
        ) : null}
      </CardHeading>
      <div className="mt-2">
        <DetailList>
          {abilities['set-licence'] ? null : (
            <Detail label={adminUserStrings.licenseType}>{licenceLabel(user.license_type)}</Detail>
          )}
          <Detail label={adminUserStrings.ends}>
            {endsAt === null ? adminUserStrings.endsNever : <OptionalDate time={endsAt} />}
          </Detail>
        </DetailList>
      </div>
      {abilities['set-licence'] ? <LicenceForm key={user.license_type} current={user.license_type} /> : null}
    </Card>
  )
}

function LicenceForm({ current }: { readonly current: LicenceType }) {
  const [selected, setSelected] = useState(current)
  const { ask } = useUserActions()
  return (
    <div className="mt-2 flex items-end gap-2.5">
      <Select
        label={adminUserStrings.licenseType}
        fieldClassName="min-w-0 flex-1"
        value={selected}
        options={LicenceType.options.map((type) => ({ value: type, label: licenceLabel(type) }))}
        onChange={({ target }) => setSelected(target.value as LicenceType)}
      />
      <Button size="large" onClick={() => ask({ type: 'set-licence', licence: selected })}>
        {adminUserStrings.save}
      </Button>
    </div>
  )
}
