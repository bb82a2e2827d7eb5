import type { Call } from '@sallyport/client/call'
import { createPortal } from '@sallyport/client/portal/portal'
import { createArrivingFile } from './arriving-file.ts'
import { keptPortal } from './kept-portal.ts'
import { createQuestion, type PortalWork } from './portal-context.ts'
import { openDirect } from './rtc-direct.ts'

/** One for the whole page. */
export const thePortal = (call: Call): PortalWork => keptPortal(() => openPortalWork(call))

function openPortalWork(call: Call): PortalWork {
  const { question, ask } = createQuestion()
  const portal = createPortal({
    call,
    origin: location.origin,
    openDirect,
    sinkOf: createArrivingFile,
    deviceName: deviceName(navigator.userAgent),
    confirmBasic: ask,
  })
  return { portal, question }
}

/** What the other person will recognise this device by. */
function deviceName(userAgent: string): string {
  const system = /iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux/.exec(userAgent)?.[0] ?? 'Browser'
  return names[system] ?? system
}

const names: Readonly<Record<string, string>> = { Macintosh: 'Mac', CrOS: 'Chromebook', Android: 'Android phone' }
