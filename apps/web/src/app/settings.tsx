import { useQuery } from '@tanstack/react-query'
import { useAccounts } from '#/features/account/accounts-context.ts'
import { LicencePane } from '#/features/account/billing/licence-pane.tsx'
import { ActivityPane } from '#/features/account/security/activity-pane.tsx'
import { DeleteAccountPane } from '#/features/account/security/delete-account-pane.tsx'
import { DevicesPane } from '#/features/account/security/devices-pane.tsx'
import { EmailPane } from '#/features/account/security/email-pane.tsx'
import { PasswordPane } from '#/features/account/security/password-pane.tsx'
import { RecoveryPane } from '#/features/account/security/recovery-pane.tsx'
import { SettingsPage } from '#/features/account/settings-page.tsx'
import { MfaPane } from '#/features/account/two-factor/mfa-pane.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { accountDeletionStrings } from '#/strings/account/account-deletion.ts'
import { emailChangeStrings } from '#/strings/account/email-change.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { activityStrings } from '#/strings/lists/activity.ts'

const sections = (hasPlans: boolean) => [
  { id: 'licence-heading', title: hasPlans ? upgradeStrings.licenceHeading : upgradeStrings.storageHeading },
  { id: 'email-heading', title: emailChangeStrings.heading },
  { id: 'second-factor-heading', title: mfaStrings.shortHeading },
  { id: 'password-heading', title: securityStrings.passwordHeading },
  { id: 'recovery-heading', title: securityStrings.recoveryHeading },
  { id: 'devices-heading', title: securityStrings.devicesHeading },
  { id: 'activity-heading', title: activityStrings.heading },
  { id: 'delete-account-heading', title: accountDeletionStrings.heading },
]

/** The settings page, composed of the cards of each feature. */
export function Settings() {
  const { provider } = useAccounts().mfa
  const { data: config } = useQuery(configQuery(useCall()))
  return (
    <SettingsPage sections={sections(config?.plans.length !== 0)}>
      <LicencePane />
      <EmailPane />
      <MfaPane provider={provider} />
      <PasswordPane />
      <RecoveryPane />
      <DevicesPane />
      <ActivityPane />
      <DeleteAccountPane />
    </SettingsPage>
  )
}
