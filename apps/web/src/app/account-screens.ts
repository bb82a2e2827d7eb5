import { lazyPart } from '#/components/parts/lazy-part.tsx'

/** The screens of a signed-in user. */
export const Settings = lazyPart(async () => (await import('./settings.tsx')).Settings)

export const areaPages = {
  files: lazyPart(async () => (await import('./files-area.tsx')).FilesArea),
  chat: lazyPart(async () => (await import('#/features/chat/chat-page.tsx')).ChatPage),
  portal: lazyPart(async () => (await import('./portal-area.tsx')).PortalArea),
  sessions: lazyPart(async () => (await import('#/features/sessions/sessions-page.tsx')).SessionsPage),
}
