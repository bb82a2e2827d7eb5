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

/** Claims another key mode than the one for which the client holds the secret. */
const weakerModeLies: readonly KnownLie[] = [
  'POST /api/sessions',
  'POST /api/sessions/join',
  'GET /api/sessions/:id',
].flatMap((call) =>
  ['pin', 'pin2'].map((mode) => ({
    name: `key mode ${mode}`,
    call,
    nth: 'every' as const,
    change: (honest: SessionResponse) => ({ ...honest, session: { ...honest.session, key_mode: mode } }),
  })),
)

interface MessagesResponse {
  readonly messages: readonly object[]
}

/** Replaces every message by the encrypted name of a participant. */
const nameAsMessage: KnownLie = {
  name: 'a name as a message',
  call: 'GET /api/sessions/:id/messages',
  nth: 'every',
  change: (honest: MessagesResponse, { objects }) => {
    const name = objects.find((fields) => Object.keys(fields).join() === 'key,content')
    const sealed = name && { encrypted_key: name['key'], content: name['content'] }
    return { ...honest, messages: honest.messages.map((message) => ({ ...message, ...sealed })) }
  },
}

const texts = { ann: 'We meet at the north gate', bob: 'I bring the maps', annAgain: 'Come before noon' } as const
const writers = new Map<string, string>([
  [texts.ann, 'Ann'],
  [texts.bob, 'Bob'],
  [texts.annAgain, 'Ann'],
])

interface SessionsFlowOptions {
  readonly isPrivate: boolean
  readonly openBrowser?: typeof openSessionBrowser
}

/** Two users join a session, set their names and write; one of them reloads the page. */
export function sessionsFlow({ isPrivate, openBrowser = openSessionBrowser }: SessionsFlowOptions): Flow<LiveCase> {
  const name = isPrivate ? 'session for holders of a link' : 'session by a PIN'
  const calls = coveredCalls[name]
  return {
    name,
    calls,
    honest: { lies: [], events: [{ type: 'ready' }] },
    fixedCases: [nameAsMessage, ...(isPrivate ? weakerModeLies : [])].map((lie) => ({ lies: [lie], events: [] })),
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
      const [ann, bob] = [openBrowser(server), openBrowser(server)]

      await ann.create(isPrivate)
      await ann.write('Ann', texts.ann)
      const link = ann.room()?.inviteLink()
      const invitation = link === undefined ? null : parseInviteLink(new URL(link))
      if (invitation && !('isIncomplete' in invitation)) await bob.join(invitation)
      await bob.write('Bob', texts.bob)
      await ann.reload()
      await ann.write(null, texts.annAgain)
      const read = [await ann.read(), await bob.read()]

      const violations = read.flat().flatMap(({ text, author }) => messageViolations(text, author?.name ?? 'Anonymous'))
      const wrapped = server.seen.objects.flatMap(({ encrypted_key: key }) => (isWrappedKey(key) ? [key] : []))
      if (isPrivate && (await readableByPin(server.transcript, wrapped)).length > 0) {
        violations.push('the server reads a message of a session that only holders of the link can read')
      }
      await ann.leave()
      await bob.leave()
      const secret = link?.split('#s=')[1]
      const secrets = { ...texts, ...(secret && { 'the secret of the link': secret }) }
      return { server, secrets, violations, isComplete: read.every((messages) => messages.length === 3) }
    },
  }
}

function messageViolations(text: string, author: string): readonly string[] {
  const writer = writers.get(text)
  if (writer === undefined) return ['a text that was never sent is shown as a message']
  return author === writer || /^Anonymous( \d+)?$/.test(author)
    ? []
    : [`a message of ${writer} is shown as one of ${author}`]
}

/** A wrapped message key as a client writes it, not one made up by the server. */
const isWrappedKey = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{155}$/.test(text)
