import { useAccounts } from '#/accounts/accounts-context.ts'
import { SettingsPage } from '#/accounts/settings-page.tsx'
import { SecondFactorPane } from '#/second-factor/second-factor-pane.tsx'
import { SecurityPanes } from '#/security/security-panes.tsx'
import { LicencePane } from '#/upgrade/licence-pane.tsx'
import { secondFactorWords } from '#/words/second-factor.ts'
import { securityWords } from '#/words/security.ts'
import { upgradeWords } from '#/words/upgrade.ts'

const sections = [
  { id: 'licence-heading', title: upgradeWords.licenceHeading },
  { id: 'second-factor-heading', title: secondFactorWords.listed },
  { id: 'password-heading', title: securityWords.passwordHeading },
  { id: 'recovery-heading', title: securityWords.recoveryHeading },
  { id: 'devices-heading', title: securityWords.devicesHeading },
] as const

/** Settings, put together from what each feature has to set. */
export function Settings() {
  const { provider } = useAccounts().secondFactor
  return (
    <SettingsPage sections={sections}>
      <LicencePane />
      <SecondFactorPane provider={provider} />
      <SecurityPanes />
    </SettingsPage>
  )
}
