import type { LicenceType } from '@sallyport/contract/licence-types'
import { Badge, type Tone } from '#/components/ui/badge.tsx'
import { licenceNames } from '#/strings/files.ts'

/** What a licence is called. */
export const licenceLabel = (type: LicenceType): string => licenceNames[type]

export const LicenceBadge = ({ type }: { readonly type: LicenceType }) => (
  <Badge tone={tones[type]}>{licenceLabel(type)}</Badge>
)

const tones: Record<LicenceType, Tone> = {
  trial: 'brass',
  personal: 'neutral',
  vip: 'seal',
  business: 'seal',
  nonprofit: 'seal',
}
