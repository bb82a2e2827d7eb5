import { TaskPage } from '#/components/brand/task-page.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { productName } from '#/strings/product.ts'
import { type MfaChallengeDeps, SecondFactorChallenge } from './mfa-challenge.tsx'

interface MfaPageProps {
  readonly deps: MfaChallengeDeps
  readonly onCancel: () => void
}

/** Shown when the page was reloaded between the password and the code. The parent reacts to the new access state. */
export function MfaPage({ deps, onCancel }: MfaPageProps) {
  useTitle(`${mfaStrings.tabTitle} · ${productName}`)
  return (
    <TaskPage>
      <SecondFactorChallenge deps={deps} onVerified={() => undefined} onCancel={onCancel} />
    </TaskPage>
  )
}
