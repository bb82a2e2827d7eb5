import type { ReauthGuard } from '../user/use-change.ts'
import { MagicLinkCard } from './magic-link-card.tsx'
import { OffersCard } from './offers-card.tsx'

/** Creates invitations, and lists them. */
export const LicencesTab = (guard: ReauthGuard) => (
  <div className="grid items-start gap-4 md:grid-cols-2">
    <MagicLinkCard {...guard} />
    <OffersCard {...guard} />
  </div>
)
