import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly url: string
  /** Everything it was sent, oldest first. */
  readonly letters: readonly Email[]
  /** The same byte for byte, as they came over the wire. */
  readonly sources: readonly Buffer[]
  /** The next letter to somebody, however long it takes to come; each is given once. */
  letterTo(address: string): Promise<Email>
  stop(): Promise<void>
}

const lookEveryMs = 50
const patienceMs = 20_000

/** A real mail server on a free port that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const letters: Email[] = []
  const sources: Buffer[] = []
  const given = new Set<Email>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onData(stream, _session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const source = Buffer.concat(pieces)
        sources.push(source)
        PostalMime.parse(source).then((letter) => {
          letters.push(letter)
          done()
        }, done)
      })
    },
  })
  // A client that breaks off is no failure of the journey.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    sources,
    async letterTo(address) {
      const until = Date.now() + patienceMs
      for (;;) {
        // Security notices have no link and may come at any time.
        const letter = letters.find(
          (one) => !given.has(one) && one.to?.some((to) => to.address === address) && /https?:/.test(one.text ?? ''),
        )
        if (letter) {
          given.add(letter)
          return letter
        }
        if (Date.now() > until) throw new Error(`No letter has come for ${address}`)
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The one address of ours that a letter links to, without its host: the letter names the public one. */
export function linkIn(letter: Email, path: string): string {
  const found = /https?:\/\/[^\s"<>]+/g
  const links = [...(letter.text ?? '').matchAll(found)]
    .map(([link]) => new URL(link))
    .filter((url) => url.pathname === path)
  const [link] = links
  if (!link) throw new Error(`The letter links to no ${path}:\n${letter.text}`)
  return link.pathname + link.search + link.hash
}

/** What a link carries behind its #. */
export const parametersOf = (link: string): URLSearchParams =>
  new URLSearchParams(new URL(link, 'http://localhost').hash.slice(1))
