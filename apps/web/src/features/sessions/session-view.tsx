import { useEffect, useState } from 'react'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { usePastedFiles } from '#/components/file-input/use-pasted-files.ts'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { TabList, TabPanel, Tabs } from '#/components/ui/tabs.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { SessionFiles } from './files/session-files.tsx'
import { AdmissionsBanner } from './joining/admissions-banner.tsx'
import { JoinRequestsBanner } from './joining/join-requests-banner.tsx'
import { LockedSession } from './joining/locked-session.tsx'
import { formatPin } from './joining/pin-rules.ts'
import { clearSessionLink, pendingSessionLink } from './joining/session-link.ts'
import type { UnlockedSession } from './room/current-session.ts'
import type { UnreadMessages } from './room/unread-messages.ts'
import { UnreadBadge } from './session-badge.tsx'
import { SessionChat } from './session-chat.tsx'
import { SessionHeader } from './session-header.tsx'
import { useCurrentSession } from './sessions-context.ts'

type SessionTab = 'chat' | 'files'

const sessionTabs = (unread: UnreadMessages) =>
  [
    {
      value: 'chat',
      label: (
        <>
          {sessionStrings.chat}
          <UnreadBadge unread={unread} />
        </>
      ),
    },
    { value: 'files', label: sessionStrings.files },
  ] as const

/** A joined session: its participants, chat and files. */
export function SessionView() {
  const unlocked = useObservable(useCurrentSession().unlocked)
  return (
    <div className="session-view mx-auto flex max-w-reading flex-col gap-4 px-4 pt-4 md:gap-5 md:px-6 md:pt-6">
      <SessionHeader />
      <JoinRequestsBanner />
      <AdmissionsBanner />
      {unlocked ? <SessionTabs unlocked={unlocked} /> : <LockedSession />}
    </div>
  )
}

function SessionTabs({ unlocked }: { readonly unlocked: UnlockedSession }) {
  const isPhone = useIsPhone()
  // The link to a file has been followed and is used only once.
  useEffect(clearSessionLink, [])
  const [linkedFileId] = useState(() => pendingSessionLink()?.fileId ?? null)
  const [tab, setTab] = useState<SessionTab>(linkedFileId === null ? 'chat' : 'files')
  const { pin, unread } = useCurrentSession()
  const onFiles = (files: readonly File[]) => {
    void unlocked.interrupted.addOrResume(files)
    setTab('files')
  }
  const toast = useToast()
  const onNothing = () => toast({ text: intakeStrings.notHandedOver, key: 'left out' })
  const { isOver, fileCount } = useFileDrop({ onFiles, onNothing, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  return (
    <Tabs<SessionTab> value={tab} onValueChange={setTab} className="flex flex-1 flex-col">
      <TabList
        label={sessionStrings.tabs}
        tabs={sessionTabs(unread)}
        className={classNames(!isPhone && 'max-w-[20rem]')}
      />
      <TabPanel value="chat" className="mt-4 flex flex-1 flex-col md:mt-5">
        <SessionChat unlocked={unlocked} />
      </TabPanel>
      <TabPanel value="files" className="mt-4 pb-4 md:mt-5 md:pb-6">
        <SessionFiles unlocked={unlocked} isOver={isOver} onFiles={onFiles} linkedFileId={linkedFileId} />
      </TabPanel>
      <PageDropOverlay
        open={isOver}
        formatLabel={(count) => sessionStrings.dropToShare(count, formatPin(pin))}
        fileCount={fileCount}
      />
    </Tabs>
  )
}
