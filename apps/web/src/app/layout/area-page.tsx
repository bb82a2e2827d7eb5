import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { lazyPart } from '#/lib/lazy-part.ts'
import { areaFor, storeLastArea } from './areas.ts'

const pages = {
  files: lazyPart(async () => (await import('../files-area.tsx')).FilesArea),
  chat: lazyPart(async () => (await import('#/features/chat/chat-page.tsx')).ChatPage),
  portal: lazyPart(async () => (await import('../portal-area.tsx')).PortalArea),
  sessions: lazyPart(async () => (await import('#/features/sessions/sessions-page.tsx')).SessionsPage),
}

/** Shows the area named in the URL or the last one shown, and stores it for the next visit. */
export function AreaPage() {
  const area = areaFor(useLocation().search, localStorage)
  useEffect(() => storeLastArea(area, localStorage), [area])
  const Page = pages[area]
  return <Page />
}

/** The page of the area that is shown for this query of the URL. */
export const areaPageFor = (search: string) => pages[areaFor(search, localStorage)]
