import type { OngoingAdmission, PendingAdmission } from '@sallyport/client/sessions/admission-queue'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { useState } from 'react'
import { PinPlates } from '#/components/brand/pin-plates.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession } from '../sessions-context.ts'

/** Shows devices that joined a private session by PIN and do not have its key yet. */
export function AdmissionsBanner() {
  const { admissionQueue } = useCurrentSession()
  const requests = useObservable(admissionQueue)
  const toast = useToast()
  const [admission, setAdmission] = useState<OngoingAdmission | null>(null)

  async function admit(request: PendingAdmission) {
    const started = await admissionQueue.admit(request)
    if (!started) return
    setAdmission(started)
    const outcome = await started.finished
    setAdmission(null)
    if (outcome === 'wrong-code') toast({ text: sessionStrings.wrongCode, tone: 'rust', urgent: true })
  }

  return (
    <div className="grid gap-2.5 empty:hidden">
      {admission ? (
        <Banner tone="brass" urgent actions={<PinPlates pin={admission.code} size="small" />}>
          {sessionStrings.readOutCode}
        </Banner>
      ) : (
        requests.map((request) => (
          <Banner
            key={request.requestId}
            tone="brass"
            urgent
            actions={
              <Button size="compact" variant="primary" onClick={() => void admit(request)}>
                {sessionStrings.admit}
              </Button>
            }
          >
            {sessionStrings.admissionRequest(anonymousParticipant)}
          </Banner>
        ))
      )}
    </div>
  )
}
