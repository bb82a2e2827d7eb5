import { TaskPage } from '#/motifs/task-page.tsx'
import { useTitle } from '#/ui/use-title.ts'
import { productName } from '#/words/product.ts'
import { secondFactorWords } from '#/words/second-factor.ts'
import { SecondFactorChallenge, type SecondFactorWays } from './challenge.tsx'

interface SecondFactorPageProps {
  readonly ways: SecondFactorWays
  readonly onGiveUp: () => void
}

/** For a page that was reloaded between the password and the code. What passes it is heard by whoever shows it. */
export function SecondFactorPage({ ways, onGiveUp }: SecondFactorPageProps) {
  useTitle(`${secondFactorWords.tabTitle} · ${productName}`)
  return (
    <TaskPage>
      <SecondFactorChallenge ways={ways} onPassed={() => undefined} onGiveUp={onGiveUp} />
    </TaskPage>
  )
}
