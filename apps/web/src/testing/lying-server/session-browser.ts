import { createCaller } from '@sallyport/client/call'
import { orNull } from '@sallyport/client/testing/lying-server/attempt'
import type { LyingServer } from '@sallyport/client/testing/lying-server/server'
import { QueryClient } from '@tanstack/react-query'
import type { LivedRoom } from '#/sessions/enter-room.ts'
import { createSessionsKeeper } from '#/sessions/sessions-keeper.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { until } from '#/testing/until.ts'

/** A browser in which a person is in a session, also after a reload, with the real logic of the page. */
export function openSessionBrowser({ fetch, origin }: LyingServer) {
  const local = createMemoryStorage()
  let tab = createMemoryStorage()
  const connection = { baseUrl: origin, accessToken: async () => 'token', fetch }
  const open = () => {
    const queries = new QueryClient()
    return createSessionsKeeper({ call: createCaller(connection), connection, queries, places: { local, tab }, origin })
  }
  let keeper = open()

  function room(): LivedRoom | null {
    const where = keeper.current()
    return where.phase === 'inside' ? (where.room as LivedRoom) : null
  }

  return {
    room,
    create: (isPrivate: boolean) => orNull(() => keeper.create({ isPrivate })),
    join: (invitation: Parameters<typeof keeper.join>[0]) => orNull(() => keeper.join(invitation)),
    async leave(): Promise<void> {
      await orNull(() => keeper.leave())
      room()?.stop()
    },
    async reload(): Promise<void> {
      room()?.stop()
      keeper = open()
      await orNull(() => keeper.restore())
    },
    /** The session is entered again from what this browser has stored of it, in a tab that has stored nothing. */
    async openInNewTab(): Promise<void> {
      room()?.stop()
      tab = createMemoryStorage()
      keeper = open()
      await orNull(() => keeper.restore())
    },
    /** Gives the link to a private session that was entered without it. */
    unlock: (link: string) => orNull(async () => room()?.unlock(link)),
    stored: local,
    async write(name: string | null, text: string): Promise<void> {
      const inside = room()
      const opened = inside?.open.current()
      if (!inside || !opened) return
      if (name !== null) await orNull(() => inside.rename(name))
      opened.composer.write(text)
      await orNull(() => opened.composer.send())
    },
    /** The messages that this person reads. */
    async read() {
      const opened = room()?.open.current()
      const listed = opened && (await orNull(() => opened.pages.listAfter(0)))
      if (!opened || !listed) return []
      opened.book.open(listed)
      await until(() => listed.every(({ id }) => opened.book.current().has(id)))
      return [...opened.book.current().values()].flatMap((message) => (message ? [message] : []))
    },
  }
}
