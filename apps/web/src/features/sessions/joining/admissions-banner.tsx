import { systemClock } from '@sallyport/client/clock'
import type { OngoingAdmission, PendingAdmission } from '@sallyport/client/sessions/admission-queue'
import { useState } from 'react'
import { PinPlates } from '#/components/brand/pin-plates.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useCommand } from '#/components/ui/hooks/use-command.ts'
import { useCountdown } from '#/components/ui/hooks/use-countdown.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { formatCountdown } from '#/strings/durations.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession } from '../sessions-context.ts'

/** Shows devices that joined a private session by PIN and do not have its key yet. */
export function AdmissionsBanner() {
  const { admissionQueue, anonymousNameOf } = useCurrentSession()
  const requests = useObservable(admissionQueue)
  const toast = useToast()
  const [admission, setAdmission] = useState<OngoingAdmission | null>(null)

  const { mutate: deny } = useCommand(admissionQueue.deny, (error) =>
    messageFor(error, sessionStrings.joinRequestFailed),
  )

  async function admit(request: PendingAdmission) {
    const started = await admissionQueue.admit(request)
    if (!started) return
    setAdmission(started)
    const outcome = await started.finished
    setAdmission(null)
    if (outcome === 'wrong-code') toast({ text: sessionStrings.wrongCode, tone: 'rust', urgent: true })
    if (outcome === 'timeout') toast({ text: sessionStrings.codeExpired })
  }

  return (
    <div className="grid gap-2.5 empty:hidden">
      {admission ? (
        <Banner tone="brass" urgent actions={<CodeActions admission={admission} />}>
          {sessionStrings.readOutCode}
        </Banner>
      ) : (
        requests.map((request) => (
          <Banner
            key={request.requestId}
            tone="brass"
            urgent
            actions={
              <>
                <Button size="compact" onClick={() => deny(request)}>
                  {sessionStrings.decline}
                  <span className="sr-only"> {anonymousNameOf(request.participantId)}</span>
                </Button>
                <Button size="compact" variant="primary" onClick={() => void admit(request)}>
                  {sessionStrings.admit}
                  <span className="sr-only"> {anonymousNameOf(request.participantId)}</span>
                </Button>
              </>
            }
          >
            {sessionStrings.admissionRequest(anonymousNameOf(request.participantId))}
          </Banner>
        ))
      )}
    </div>
  )
}

/** The code to read out, with the time that it is still valid for. */
function CodeActions({ admission }: { readonly admission: OngoingAdmission }) {
  const [milliseconds] = useState(() => Math.max(0, admission.expiresAt - systemClock.now()))
  const { secondsLeft } = useCountdown(milliseconds, true)
  return (
    <>
      <PinPlates pin={admission.code} size="small" />
      <span role="timer" aria-live="off" className="min-w-10 text-end tabular-nums">
        {formatCountdown(secondsLeft)}
      </span>
      <Button size="compact" onClick={() => void admission.cancel()}>
        {sessionStrings.cancel}
      </Button>
    </>
  )
}
