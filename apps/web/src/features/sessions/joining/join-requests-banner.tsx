import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useCommand } from '#/components/ui/hooks/use-command.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession, useSession } from '../sessions-context.ts'

/** Shows pending join requests to the creator. */
export function JoinRequestsBanner() {
  const { answerJoinRequest } = useCurrentSession()
  const { knocks } = useSession()

  const { mutate: answer } = useCommand(
    ({ id, admit }: { readonly id: string; readonly admit: boolean }) => answerJoinRequest(id, admit),
    (error) => messageFor(error, sessionStrings.joinRequestFailed),
  )

  return (
    <div className="grid gap-2.5 empty:hidden">
      {knocks.map(({ id, code }) => (
        <Banner
          key={id}
          tone="brass"
          urgent
          actions={
            <>
              <Button size="compact" onClick={() => answer({ id, admit: false })}>
                {sessionStrings.decline}
                <span className="sr-only"> {code}</span>
              </Button>
              <Button size="compact" variant="primary" onClick={() => answer({ id, admit: true })}>
                {sessionStrings.admit}
                <span className="sr-only"> {code}</span>
              </Button>
            </>
          }
        >
          {sessionStrings.joinRequest(code)}
        </Banner>
      ))}
    </div>
  )
}
