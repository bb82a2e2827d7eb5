import { accountKeys } from './account-keys.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { admin } from './admin.ts'
import { adminAnalytics } from './admin-analytics.ts'
import { adminBackup } from './admin-backup.ts'
import { adminMaintenance } from './admin-maintenance.ts'
import { adminOffers } from './admin-offers.ts'
import { adminOverview } from './admin-overview.ts'
import { adminSecurity } from './admin-security.ts'
import { authSessions } from './auth-sessions.ts'
import { billing } from './billing.ts'
import { emailedLinks } from './emailed-links.ts'
import type { EndpointSpec } from './endpoint.ts'
import { files } from './files.ts'
import { invitations } from './invitations.ts'
import { live } from './live.ts'
import { messages } from './messages.ts'
import { organizations } from './organizations.ts'
import { portals } from './portals.ts'
import { sessionFiles } from './session-files.ts'
import { sessions } from './sessions.ts'
import { sharing } from './sharing.ts'
import { system } from './system.ts'

/** All endpoints of the product's own interface, by feature. */
export const endpoints: readonly EndpointSpec[] = [
  accounts,
  admin,
  adminAnalytics,
  adminBackup,
  adminMaintenance,
  adminOffers,
  adminOverview,
  adminSecurity,
  accountKeys,
  authSessions,
  activity,
  billing,
  emailedLinks,
  invitations,
  organizations,
  files,
  sharing,
  messages,
  sessions,
  sessionFiles,
  live,
  portals,
  system,
].flatMap((feature) => Object.values<EndpointSpec>(feature))
