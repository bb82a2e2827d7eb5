import { LicenceType } from '@sallyport/contract/licence-types'
import type { CSSProperties } from 'react'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { licenceNames } from '#/strings/files.ts'
import { formatNumber } from '#/strings/format.ts'
import type { Stats } from '../admin.queries.ts'
import { Detail, DetailList } from '../user/detail-list.tsx'

const fills: Record<LicenceType, string> = {
  trial: 'bg-ink',
  personal: 'bg-seal-fill',
  business: 'bg-brass',
  vip: 'bg-rust',
  nonprofit: 'bg-ink-3',
}

/** How many users have which licence, as one bar and in figures. */
export function LicencesCard({ stats: { users_by_license: counts } }: { readonly stats: Stats }) {
  return (
    <Card aria-labelledby="licences-heading">
      <CardHeading id="licences-heading" title={strings.byLicence} />
      <div aria-hidden className="mt-3 mb-2 flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-sunken">
        {LicenceType.options.map((type) =>
          (counts[type] ?? 0) === 0 ? null : (
            <span
              key={type}
              style={{ '--count': counts[type] } as CSSProperties}
              className={classNames('grow-(--count) basis-0 forced-colors:bg-[CanvasText]', fills[type])}
            />
          ),
        )}
      </div>
      <DetailList>
        {LicenceType.options.map((type) => (
          <Detail
            key={type}
            label={
              <span className="flex items-center gap-2">
                <span aria-hidden className={classNames('size-2.5 rounded-full', fills[type])} />
                {licenceNames[type]}
              </span>
            }
          >
            <span className="num">{formatNumber(counts[type] ?? 0)}</span>
          </Detail>
        ))}
      </DetailList>
    </Card>
  )
}
