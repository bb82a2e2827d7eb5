import type { PendingAdmission } from '@sallyport/client/sessions/admission-queue'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useHiddenAlert } from '#/components/alerts/use-hidden-alert.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import {
  CurrentSessionProvider,
  useCurrentSession,
  useSession,
  useSessionState,
  useSessions,
} from './sessions-context.ts'

interface SessionAlertsProps {
  /** Opens the screen of the session; null while it is shown. */
  readonly onShow: (() => void) | null
}

/** Notifies the user, on every screen, of join requests, newcomers and messages in the session of this page. */
export function SessionAlerts({ onShow }: SessionAlertsProps) {
  const { restoreThisTab } = useSessions()
  const state = useSessionState()
  useEffect(() => void restoreThisTab(), [restoreThisTab])
  if (state.phase !== 'inside') return null
  return (
    <CurrentSessionProvider value={state.session}>
      <Alerts key={state.session.id} onShow={onShow} />
    </CurrentSessionProvider>
  )
}

function Alerts({ onShow }: SessionAlertsProps) {
  const { admissionQueue, unread } = useCurrentSession()
  const { participants, knocks } = useSession()
  const admissions = useObservable(admissionQueue)
  const unreadCount = useObservable(unread)
  const toast = useToast()
  const alertIfHidden = useHiddenAlert('session')

  const notifyOfRequest = (text: string, key: string) => {
    alertIfHidden(text)
    if (onShow) toast({ text, key, urgent: true, action: { label: sessionStrings.showSession, onPress: onShow } })
  }
  useNewItems(
    knocks,
    ({ id }) => id,
    ({ id, code }) => notifyOfRequest(sessionStrings.joinRequest(code), `join request ${id}`),
  )
  useNewItems(admissions, requestIdOf, (request) =>
    notifyOfRequest(sessionStrings.admissionRequested, `admission ${requestIdOf(request)}`),
  )
  useNewItems(
    participants,
    ({ id }) => id,
    () => {
      alertIfHidden(sessionStrings.someoneJoined)
      toast({ text: sessionStrings.someoneJoined, key: 'joined' })
    },
    { areFirstNew: false },
  )
  const notifyOfUnread = useEffectEvent(alertIfHidden)
  useEffect(() => {
    if (unreadCount > 0) notifyOfUnread(sessionStrings.unread(unreadCount))
  }, [unreadCount])
  return null
}

const requestIdOf = ({ requestId }: PendingAdmission): string => requestId

/** Calls back for each item whose id was not in the list before. */
function useNewItems<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  onNew: (item: Item) => void,
  { areFirstNew = true } = {},
): void {
  const knownRef = useRef(areFirstNew ? new Set<string>() : null)
  const report = useEffectEvent((current: readonly Item[]) => {
    const known = knownRef.current
    knownRef.current = new Set([...(known ?? []), ...current.map(idOf)])
    if (known) for (const item of current) if (!known.has(idOf(item))) onNew(item)
  })
  useEffect(() => report(items), [items])
}
