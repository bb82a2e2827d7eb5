import { Monitor, Smartphone } from 'lucide-react'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useNow } from '#/lib/use-now.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { deviceName, isHandheld } from '#/strings/device-name.ts'
import { formatAgo } from '#/strings/durations.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import { type AuthSession, useEndAuthSessions } from './security.queries.ts'

const refreshIntervalMs = 30_000

interface DeviceRowProps {
  readonly authSession: AuthSession
}

export function DeviceRow({ authSession }: DeviceRowProps) {
  const now = useNow(refreshIntervalMs)
  const endAuthSessions = useEndAuthSessions()
  const toast = useToast()
  const name = deviceName(authSession.userAgent) ?? securityStrings.unknownDevice
  const Icon = isHandheld(authSession.userAgent) ? Smartphone : Monitor

  function endSession() {
    endAuthSessions.mutate(authSession, {
      onError: (error) => toast({ text: messageFor(error, securityStrings.signOutFailed), tone: 'rust', urgent: true }),
    })
  }

  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 last:pb-0 md:gap-x-4">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
        <Icon size={18} strokeWidth={1.75} />
      </span>
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          {name}
          {authSession.current ? <Badge tone="seal">{securityStrings.thisDevice}</Badge> : null}
          {authSession.remembered ? <Badge>{securityStrings.remembered}</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm text-ink-2">
          {securityStrings.lastUsed(formatAgo(authSession.lastUsedAt, now))},{' '}
          {securityStrings.signedInOn(formatDate(authSession.createdAt))}
        </p>
      </div>
      {authSession.current ? null : (
        <Button
          variant="danger-quiet"
          size="compact"
          className="-me-3 ms-auto"
          busy={endAuthSessions.isPending}
          busyLabel={securityStrings.signingOut}
          aria-label={`${securityStrings.signOut}: ${name}`}
          onClick={endSession}
        >
          {securityStrings.signOut}
        </Button>
      )}
    </li>
  )
}
