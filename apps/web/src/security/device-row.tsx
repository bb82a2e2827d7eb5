import { Monitor, Smartphone } from 'lucide-react'
import { speak } from '#/api/failure.ts'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useNow } from '#/ui/use-now.ts'
import { deviceName, isHandheld } from '#/words/device-name.ts'
import { securityWords } from '#/words/security.ts'
import { sayAgo, sayDate } from './moments.ts'
import { type SignIn, useEndSignIns } from './security.queries.ts'

const clockStepMs = 30_000

interface DeviceRowProps {
  readonly signIn: SignIn
}

export function DeviceRow({ signIn }: DeviceRowProps) {
  const now = useNow(clockStepMs)
  const end = useEndSignIns()
  const toast = useToast()
  const name = deviceName(signIn.userAgent) ?? securityWords.unknownDevice
  const Picture = isHandheld(signIn.userAgent) ? Smartphone : Monitor

  function endIt() {
    end.mutate(signIn, {
      onError: (error) => toast({ text: speak(error, securityWords.endFailed), tone: 'rust', urgent: true }),
    })
  }

  return (
    <li className="flex items-center gap-3 py-3 last:pb-0 md:gap-4">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
        <Picture size={18} strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          {name}
          {signIn.current ? <Badge tone="seal">{securityWords.thisDevice}</Badge> : null}
          {signIn.remembered ? <Badge>{securityWords.remembered}</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {securityWords.lastUsed(sayAgo(signIn.lastUsedAt, now))}, {securityWords.signedIn(sayDate(signIn.createdAt))}
        </p>
      </div>
      {signIn.current ? null : (
        <Button
          variant="danger-quiet"
          size="compact"
          busy={end.isPending}
          busyLabel={securityWords.endingSignIn}
          aria-label={`${securityWords.endSignIn}: ${name}`}
          onClick={endIt}
        >
          {securityWords.endSignIn}
        </Button>
      )}
    </li>
  )
}
