import { lazy, useEffect } from 'react'
import { useLocation } from 'react-router'
import { type Area, areaAt, rememberArea } from './areas.ts'

const loaders = {
  files: () => import('./files-area.tsx'),
  chat: () => import('#/chat/chat-page.tsx'),
  portal: () => import('./portal-area.tsx'),
  sessions: () => import('#/sessions/sessions-page.tsx'),
}

const pages = {
  files: lazy(async () => ({ default: (await loaders.files()).FilesArea })),
  chat: lazy(async () => ({ default: (await loaders.chat()).ChatPage })),
  portal: lazy(async () => ({ default: (await loaders.portal()).PortalArea })),
  sessions: lazy(async () => ({ default: (await loaders.sessions()).SessionsPage })),
}

/** The area that the address names or that was shown last, which is remembered for the next time. */
export function AreaPage() {
  const area = areaAt(useLocation().search, localStorage)
  useEffect(() => rememberArea(area, localStorage), [area])
  const Page = pages[area]
  return <Page />
}

/** Asks for the page of an area before it is shown. */
export const loadAreaPage = (area: Area): Promise<unknown> => loaders[area]()
