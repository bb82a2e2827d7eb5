import { Bell } from 'lucide-react'
import { useState } from 'react'
import { canRequestNotifications, requestNotifications } from '#/components/alerts/notifications.ts'
import { Button } from '#/components/ui/button.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'

/** Offers to notify the user when the other device connects. It is hidden once the browser has an answer. */
export function NotifyWhenConnected() {
  const [canAsk, setCanAsk] = useState(canRequestNotifications)
  if (!canAsk) return null
  return (
    <Button
      variant="quiet"
      fullWidth
      className="mt-2.5"
      icon={<Bell aria-hidden size={16} />}
      onClick={() => void requestNotifications().finally(() => setCanAsk(canRequestNotifications()))}
    >
      {portalScreenStrings.notifyOnConnect}
    </Button>
  )
}
