import { parseInviteLink } from '@sallyport/client/sessions/invite-link'
import { coveredCalls } from '@sallyport/lying-server/covered-calls'
import { createSocketOpener } from '@sallyport/lying-server/fake-socket'
import type { Flow, FlowReport } from '@sallyport/lying-server/flow'
import { serveSessions } from '@sallyport/lying-server/honest-sessions'
import type { KnownLie } from '@sallyport/lying-server/lies'
import { type LiveCase, liveCases } from '@sallyport/lying-server/live-events'
import { readableByPin } from '@sallyport/lying-server/readable-by-pin'
import { createLyingServer } from '@sallyport/lying-server/server'
import { openSessionBrowser } from './session-browser.ts'

interface SessionResponse {
  readonly session: object
}

const otherModeLie = (call: string, nth: KnownLie['nth'], mode: string): KnownLie => ({
  name: `key mode ${mode} on rejoining`,
  call,
  nth,
  change: (honest: SessionResponse) => ({ ...honest, session: { ...honest.session, key_mode: mode } }),
})

const otherSessionLie: KnownLie = {
  name: 'another session on rejoining',
  call: 'GET /api/sessions/:id',
  nth: 'every',
  change: (honest: SessionResponse) => ({
    ...honest,
    session: { ...honest.session, id: '22222222-2222-4222-8222-222222222222' },
  }),
}

const knownLies = [
  ...['pin', 'pin2'].flatMap((mode) => [
    otherModeLie('GET /api/sessions/:id', 'every', mode),
    // The first join is that of the guest with the link.
    otherModeLie('POST /api/sessions/join', 1, mode),
  ]),
  otherSessionLie,
]

const texts = { ann: 'We meet at the north gate', reloaded: 'I bring the maps', newTab: 'Come before noon' } as const

/**
 * A guest joins a private session by its link, reloads the page, writes, and rejoins the session in a new tab, where the
 * link has to be entered once more.
 */
export function storedSessionFlow(openGuest = openSessionBrowser): Flow<LiveCase> {
  const name = 'session entered again from stored state'
  const calls = coveredCalls[name]
  return {
    name,
    calls,
    honest: { lies: [], events: [{ type: 'ready' }] },
    fixedCases: knownLies.map((lie) => ({ lies: [lie], events: [] })),
    cases: liveCases(calls),
    async run({ lies, events }): Promise<FlowReport> {
      const server = createLyingServer({ honest: serveSessions(), lies })
      const openSocket = createSocketOpener(server.transcript, (socket) => {
        for (const event of events) {
          server.calls.add(`live ${event.type}`)
          socket.send(JSON.stringify(event))
        }
      })
      Object.defineProperty(globalThis, 'WebSocket', { value: openSocket, configurable: true })
      const [ann, bob] = [openSessionBrowser(server), openGuest(server)]

      await ann.create(true)
      await ann.write(null, texts.ann)
      const link = ann.room()?.inviteLink() ?? ''
      const invitation = URL.canParse(link) ? parseInviteLink(new URL(link)) : null
      if (invitation && !('isIncomplete' in invitation)) await bob.join(invitation)
      const joined = bob.room()?.id
      await bob.reload()
      const reloaded = bob.room()?.id
      await bob.write(null, texts.reloaded)
      await bob.openInNewTab()
      const isLocked = bob.room()?.unlocked.current() === null
      // A message written before the link is entered is not sent.
      await bob.write(null, texts.newTab)
      await bob.unlock(link)
      await bob.write(null, texts.newTab)
      const read = [await ann.read(), await bob.read()]

      const all = new Set<string>(Object.values(texts))
      const violations = read
        .flat()
        .flatMap(({ text }) => (all.has(text) ? [] : ['a text that was never sent is shown as a message']))
      if (joined !== undefined && reloaded !== undefined && joined !== reloaded) {
        violations.push('another session was joined in place of the stored one')
      }
      const wrapped = server.seen.objects.flatMap(({ encrypted_key: key }) => (isWrappedKey(key) ? [key] : []))
      if ((await readableByPin(server.transcript, wrapped)).length > 0) {
        violations.push('the server reads a message of a session that only holders of the link can read')
      }
      await ann.leave()
      await bob.leave()
      const secret = link.split('#s=')[1]
      const secrets = { ...texts, ...(secret && { 'the secret of the link': secret }) }
      return { server, secrets, violations, isComplete: isLocked && read.every(({ length }) => length === 3) }
    },
  }
}

/** A wrapped message key as a client writes it, not one made up by the server. */
const isWrappedKey = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{155}$/.test(text)
