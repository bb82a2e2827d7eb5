import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'

interface AdminUnavailableProps {
  readonly onRetry: () => void
}

/** Shown in place of the admin area while it is not known whether the user is an admin. */
export const AdminUnavailable = ({ onRetry }: AdminUnavailableProps) => (
  <div className="mx-auto max-w-page px-4 py-7 md:px-7">
    <RetryBanner onRetry={onRetry}>{adminUsersStrings.unavailable}</RetryBanner>
  </div>
)
