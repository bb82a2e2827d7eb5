import { useEffect, useEffectEvent } from 'react'
import { useCommand } from '#/components/ui/hooks/use-command.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import type { SessionEnd } from '../room/session-controller.ts'
import { joinErrorMessage } from '../session-error-messages.ts'
import { useSessionState, useSessions } from '../sessions-context.ts'

const offerMs = 10_000

/** Confirms that the user has left a session, and offers to rejoin it for a moment. */
export function useRejoin(): void {
  const { join } = useSessions()
  const toast = useToast()
  const state = useSessionState()
  const leftSession = state.phase === 'outside' && state.lastEnd?.reason === 'left' ? state.lastEnd : null

  const { mutate: rejoin } = useCommand(
    ({ pin, name }: SessionEnd) => join({ pin, linkSecret: null, name }),
    (error) => joinErrorMessage(error, sessionStrings.joinFailed),
  )

  const showToast = useEffectEvent((end: SessionEnd) => {
    const { canRejoin, isEndedForAll } = end
    toast({
      text: isEndedForAll ? sessionStrings.endedForAll : sessionStrings.left,
      key: 'left session',
      duration: offerMs,
      ...(canRejoin && { action: { label: sessionStrings.rejoin, onPress: () => rejoin(end) } }),
    })
  })

  useEffect(() => {
    if (leftSession) showToast(leftSession)
  }, [leftSession])
}
