import { SettingsPage } from '#/accounts/settings-page.tsx'
import { SecurityPanes } from '#/security/security-panes.tsx'

/** Settings, put together from what each feature has to set. */
export function Settings() {
  return (
    <SettingsPage>
      <SecurityPanes />
    </SettingsPage>
  )
}
