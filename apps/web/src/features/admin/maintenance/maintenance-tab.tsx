import type { ReauthGuard } from '../user/use-change.ts'
import { CleanupCard } from './cleanup-card.tsx'

/** Removes at once what the server otherwise removes by itself. */
export const MaintenanceTab = (guard: ReauthGuard) => <CleanupCard {...guard} />
