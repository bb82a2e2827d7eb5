import { createCaller } from '@sallyport/client/call'
import { orNull } from '@sallyport/lying-server/attempt'
import type { LyingServer } from '@sallyport/lying-server/server'
import { QueryClient } from '@tanstack/react-query'
import type { ManagedSession } from '#/features/sessions/joining/start-session.ts'
import { createSessionController } from '#/features/sessions/room/session-controller.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'

/** A browser with the real session logic of the app, in which a user joins a session and can reload the page. */
export function openSessionBrowser({ fetch, origin }: LyingServer) {
  const local = createMemoryStorage()
  let tab = createMemoryStorage()
  const channelName = `sessions-${crypto.randomUUID()}`
  const connection = { baseUrl: origin, getAccessToken: async () => 'token', fetch }
  const open = () => {
    const queries = new QueryClient()
    return createSessionController({
      call: createCaller(connection),
      connection,
      queries,
      storages: { local, tab },
      origin,
      openChannel: () => new BroadcastChannel(channelName),
    })
  }
  let sessions = open()

  function room(): ManagedSession | null {
    const status = sessions.current()
    return status.phase === 'inside' ? (status.session as ManagedSession) : null
  }

  return {
    room,
    create: (isPrivate: boolean) => orNull(() => sessions.create({ isPrivate, name: '' })),
    join: (invitation: Parameters<typeof sessions.join>[0]) => orNull(() => sessions.join(invitation)),
    async leave(): Promise<void> {
      await orNull(() => sessions.leave())
      room()?.stop()
    },
    async reload(): Promise<void> {
      room()?.stop()
      sessions = open()
      await orNull(() => sessions.restore())
    },
    /** Rejoins the session from local storage in a new tab with an empty session storage. */
    async openInNewTab(): Promise<void> {
      room()?.stop()
      tab = createMemoryStorage()
      sessions = open()
      await orNull(() => sessions.restore())
    },
    /** Enters the link of a private session that was rejoined without it. */
    unlock: (link: string) => orNull(async () => room()?.unlock(link)),
    stored: local,
    async write(name: string | null, text: string): Promise<void> {
      const current = room()
      const opened = current?.unlocked.current()
      if (!current || !opened) return
      if (name !== null) await orNull(() => current.rename(name))
      opened.composer.setDraft(text)
      await orNull(() => opened.composer.send())
    },
    /** Returns the messages that this user can read. */
    async read() {
      const opened = room()?.unlocked.current()
      const listed = opened && (await orNull(() => opened.pages.listAfter(0)))
      if (!opened || !listed) return []
      opened.messageCache.decrypt(listed)
      await until(() => listed.every(({ id }) => opened.messageCache.current().has(id)))
      return [...opened.messageCache.current().values()].flatMap((message) => (message ? [message] : []))
    },
  }
}
