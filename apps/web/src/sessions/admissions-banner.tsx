import type { Admitting, Knocking } from '@sallyport/client/sessions/give-admission'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { useState, useSyncExternalStore } from 'react'
import { PinPlates } from '#/motifs/pin-plates.tsx'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useRoom } from './sessions-context.ts'

/** Newcomers to a private session who have its PIN and not its key. */
export function AdmissionsBanner() {
  const { desk } = useRoom()
  const knocking = useSyncExternalStore(desk.subscribe, desk.current)
  const toast = useToast()
  const [admitting, setAdmitting] = useState<Admitting | null>(null)

  async function admit(one: Knocking) {
    const begun = await desk.admit(one)
    if (!begun) return
    setAdmitting(begun)
    const end = await begun.finished
    setAdmitting(null)
    if (end === 'wrong-code') toast({ text: sessionWords.wrongCode, tone: 'rust', urgent: true })
  }

  return (
    <div className="grid gap-2.5 empty:hidden">
      {admitting ? (
        <Banner tone="brass" urgent actions={<PinPlates pin={admitting.code} size="small" />}>
          {sessionWords.tellCode}
        </Banner>
      ) : (
        knocking.map((one) => (
          <Banner
            key={one.kid}
            tone="brass"
            urgent
            actions={
              <Button size="compact" variant="primary" onClick={() => void admit(one)}>
                {sessionWords.admit}
              </Button>
            }
          >
            {sessionWords.wantsKey(anonymousParticipant)}
          </Banner>
        ))
      )}
    </div>
  )
}
