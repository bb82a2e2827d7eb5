import { DevicesPane } from './devices-pane.tsx'
import { PasswordPane } from './password-pane.tsx'
import { RecoveryPane } from './recovery-pane.tsx'

/** What in Settings keeps an account its holder's. */
export function SecurityPanes() {
  return (
    <>
      <PasswordPane />
      <RecoveryPane />
      <DevicesPane />
    </>
  )
}
