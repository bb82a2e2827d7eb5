import { useEffect, useEffectEvent } from 'react'
import { useToast } from '#/ui/toast.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useSessions, useWhereabouts } from './sessions-context.ts'
import { sayEntering } from './troubles.ts'

const offeredMs = 10_000

/** Tells whoever has left a session so, and offers the way back into it for a moment. */
export function useRejoin(): void {
  const { join } = useSessions()
  const toast = useToast()
  const whereabouts = useWhereabouts()
  const left = whereabouts.phase === 'outside' && whereabouts.parting?.ending === 'left' ? whereabouts.parting : null

  const rejoin = async (pin: string) => {
    try {
      await join({ pin, linkSecret: null })
    } catch (error) {
      toast({ text: sayEntering(error, sessionWords.joinFailed), tone: 'rust', urgent: true })
    }
  }

  const tell = useEffectEvent((pin: string, mayRejoin: boolean) => {
    toast({
      text: sessionWords.left,
      key: 'left session',
      duration: offeredMs,
      ...(mayRejoin && { action: { label: sessionWords.rejoin, onPress: () => void rejoin(pin) } }),
    })
  })

  useEffect(() => {
    if (left) tell(left.pin, left.mayRejoin)
  }, [left])
}
