import type { ReauthGuard } from '../user/use-change.ts'
import { BackupCard } from './backup-card.tsx'
import { CleanupCard } from './cleanup-card.tsx'

/** Makes backups, and removes at once what the server otherwise removes by itself. */
export const MaintenanceTab = (guard: ReauthGuard) => (
  <div className="grid gap-4">
    <BackupCard {...guard} />
    <CleanupCard {...guard} />
  </div>
)
