import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { DeviceRow } from './device-row.tsx'
import { type AuthSession, authSessionsQuery, useEndAuthSessions } from './security.queries.ts'
import { SignInHistory } from './sign-in-history.tsx'

export function DevicesPane() {
  const query = useQuery(authSessionsQuery(useCall()))
  return (
    <Card aria-labelledby="devices-heading">
      <CardHeading id="devices-heading" title={securityStrings.devicesHeading}>
        {query.data && query.data.length > 1 ? <EndOtherSessionsButton /> : null}
      </CardHeading>
      <p className="mt-1 mb-3 text-sm text-ink-2">{securityStrings.devicesIntro}</p>
      <Loaded query={query} failed={securityStrings.devicesFailed} skeletonClassName="h-14">
        {(authSessions) => <DeviceList authSessions={authSessions} />}
      </Loaded>
      <SignInHistory />
    </Card>
  )
}

interface DeviceListProps {
  readonly authSessions: readonly AuthSession[]
}

/** Lists this device first, then the others by their last use. */
function DeviceList({ authSessions }: DeviceListProps) {
  const ordered = [...authSessions].sort((one, other) => Number(other.current) - Number(one.current))
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {ordered.map((authSession) => (
          <DeviceRow key={authSession.id} authSession={authSession} />
        ))}
      </ul>
      {ordered.length === 1 ? (
        <p className="mt-3 border-t border-line pt-3 text-sm text-ink-3">{securityStrings.onlyThisDevice}</p>
      ) : null}
    </>
  )
}

function EndOtherSessionsButton() {
  const [isConfirming, setConfirming] = useState(false)
  const endAuthSessions = useEndAuthSessions()
  const toast = useToast()

  function confirm() {
    endAuthSessions.mutate('others', {
      onSuccess: () => toast({ text: securityStrings.othersSignedOut, tone: 'seal' }),
      onError: (error) => toast({ text: messageFor(error, securityStrings.othersFailed), tone: 'rust', urgent: true }),
      onSettled: () => setConfirming(false),
    })
  }

  return (
    <>
      <Button variant="danger-outline" size="compact" onClick={() => setConfirming(true)}>
        {securityStrings.signOutOthers}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={securityStrings.signOutOthersTitle}
        description={securityStrings.signOutOthersQuestion}
        confirmLabel={securityStrings.signOutOthers}
        busy={endAuthSessions.isPending}
        busyLabel={securityStrings.signingOut}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('devices-heading') ?? true}
      />
    </>
  )
}
