import { useAccounts } from '#/accounts/accounts-context.ts'
import { SettingsPage } from '#/accounts/settings-page.tsx'
import { SecondFactorPane } from '#/second-factor/second-factor-pane.tsx'
import { SecurityPanes } from '#/security/security-panes.tsx'
import { LicencePane } from '#/upgrade/licence-pane.tsx'

/** Settings, put together from what each feature has to set. */
export function Settings() {
  const { provider } = useAccounts().secondFactor
  return (
    <SettingsPage>
      <LicencePane />
      <SecondFactorPane provider={provider} />
      <SecurityPanes />
    </SettingsPage>
  )
}
