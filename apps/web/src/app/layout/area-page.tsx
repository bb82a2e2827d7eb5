import { lazy, useEffect } from 'react'
import { useLocation } from 'react-router'
import { type Area, areaFor, storeLastArea } from './areas.ts'

const loaders = {
  files: () => import('../files-area.tsx'),
  chat: () => import('#/features/chat/chat-page.tsx'),
  portal: () => import('../portal-area.tsx'),
  sessions: () => import('#/features/sessions/sessions-page.tsx'),
}

const pages = {
  files: lazy(async () => ({ default: (await loaders.files()).FilesArea })),
  chat: lazy(async () => ({ default: (await loaders.chat()).ChatPage })),
  portal: lazy(async () => ({ default: (await loaders.portal()).PortalArea })),
  sessions: lazy(async () => ({ default: (await loaders.sessions()).SessionsPage })),
}

/** Shows the area named in the URL or the last one shown, and stores it for the next visit. */
export function AreaPage() {
  const area = areaFor(useLocation().search, localStorage)
  useEffect(() => storeLastArea(area, localStorage), [area])
  const Page = pages[area]
  return <Page />
}

/** Preloads the page of an area. */
export const loadAreaPage = (area: Area): Promise<unknown> => loaders[area]()
