import { useEffect, useState, useSyncExternalStore } from 'react'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { classNames } from '#/ui/class-names.ts'
import { TabList, TabPanel, Tabs } from '#/ui/tabs.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { sessionWords } from '#/words/sessions.ts'
import { AdmissionsBanner } from './admissions-banner.tsx'
import { currentArrival, forgetArrival } from './arrival.ts'
import { KnocksBanner } from './knocks-banner.tsx'
import { LockedRoom } from './locked-room.tsx'
import { spellPin } from './pin-rules.ts'
import type { OpenRoom } from './room.ts'
import { SessionChat } from './session-chat.tsx'
import { SessionFiles } from './session-files.tsx'
import { SessionHeader } from './session-header.tsx'
import { useRoom } from './sessions-context.ts'

type Part = 'chat' | 'files'

const parts = [
  { value: 'chat', label: sessionWords.chat },
  { value: 'files', label: sessionWords.files },
] as const

/** A session from the inside: who is here, what they say, and what they share. */
export function SessionView() {
  const { open } = useRoom()
  const opened = useSyncExternalStore(open.subscribe, open.current)
  return (
    <div className="session-view mx-auto flex max-w-reading flex-col gap-4 px-4 pt-4 md:gap-5 md:px-6 md:py-6">
      <SessionHeader />
      <KnocksBanner />
      <AdmissionsBanner />
      {opened ? <Parts opened={opened} /> : <LockedRoom />}
    </div>
  )
}

function Parts({ opened }: { readonly opened: OpenRoom }) {
  const isPhone = useIsPhone()
  // A link to a file has led here; it has done so once it is read.
  useEffect(forgetArrival, [])
  const [part, setPart] = useState<Part>(() => (currentArrival()?.fileId ? 'files' : 'chat'))
  const { pin } = useRoom()
  const onFiles = (files: readonly File[]) => {
    opened.uploads.add(files)
    setPart('files')
  }
  const { isOver, fileCount } = useFileDrop({ onFiles, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  return (
    <Tabs<Part> value={part} onValueChange={setPart} className="flex flex-1 flex-col">
      <TabList label={sessionWords.parts} tabs={parts} className={classNames(!isPhone && 'max-w-[20rem]')} />
      <TabPanel value="chat" className="mt-4 flex flex-1 flex-col md:mt-5">
        <SessionChat opened={opened} />
      </TabPanel>
      <TabPanel value="files" className="mt-4 pb-4 md:mt-5 md:pb-0">
        <SessionFiles opened={opened} isOver={isOver} onFiles={onFiles} />
      </TabPanel>
      <PageDropOverlay
        open={isOver}
        words={(count) => sessionWords.dropToShare(count, spellPin(pin))}
        fileCount={fileCount}
      />
    </Tabs>
  )
}
