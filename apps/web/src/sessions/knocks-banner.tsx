import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useRoom, useSession } from './sessions-context.ts'

/** Whoever waits outside, for the creator to let in. */
export function KnocksBanner() {
  const { answerKnock } = useRoom()
  const { knocks } = useSession()
  const toast = useToast()

  async function answer(knockId: string, admit: boolean) {
    try {
      await answerKnock(knockId, admit)
    } catch (error) {
      toast({ text: speak(error, sessionWords.knockFailed), tone: 'rust', urgent: true })
    }
  }

  return (
    <div className="grid gap-2.5 empty:hidden">
      {knocks.map(({ id, code }) => (
        <Banner
          key={id}
          tone="brass"
          urgent
          actions={
            <>
              <Button size="compact" onClick={() => void answer(id, false)}>
                {sessionWords.deny}
                <span className="sr-only"> {code}</span>
              </Button>
              <Button size="compact" variant="primary" onClick={() => void answer(id, true)}>
                {sessionWords.admit}
                <span className="sr-only"> {code}</span>
              </Button>
            </>
          }
        >
          {sessionWords.knock(code)}
        </Banner>
      ))}
    </div>
  )
}
