import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly url: string
  /** All received emails, oldest first. */
  readonly emails: readonly Email[]
  /** The raw bytes of the same emails. */
  readonly rawEmails: readonly Buffer[]
  /** Waits for the next email with a link to an address; each is returned once. */
  nextEmailTo(address: string): Promise<Email>
  stop(): Promise<void>
}

const pollIntervalMs = 50
const timeoutMs = 20_000

/** Starts an SMTP server on a free port that stores the emails it receives. */
export async function startMailServer(): Promise<MailServer> {
  const emails: Email[] = []
  const rawEmails: Buffer[] = []
  const returned = new Set<Email>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onData(stream, _session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const source = Buffer.concat(pieces)
        rawEmails.push(source)
        PostalMime.parse(source).then((email) => {
          emails.push(email)
          done()
        }, done)
      })
    },
  })
  // A client that disconnects early does not fail the journey.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    emails,
    rawEmails,
    async nextEmailTo(address) {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        // Security notices have no link and may come at any time.
        const email = emails.find(
          (one) => !returned.has(one) && one.to?.some((to) => to.address === address) && /https?:/.test(one.text ?? ''),
        )
        if (email) {
          returned.add(email)
          return email
        }
        if (Date.now() > deadline) throw new Error(`No email arrived for ${address}`)
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns the link with this path in an email without its host: the email has the public one. */
export function linkInEmail(email: Email, path: string): string {
  const linkPattern = /https?:\/\/[^\s"<>]+/g
  const links = [...(email.text ?? '').matchAll(linkPattern)]
    .map(([link]) => new URL(link))
    .filter((url) => url.pathname === path)
  const [link] = links
  if (!link) throw new Error(`The email has no link to ${path}:\n${email.text}`)
  return link.pathname + link.search + link.hash
}

/** The parameters in the fragment of a link. */
export const fragmentParametersOf = (link: string): URLSearchParams =>
  new URLSearchParams(new URL(link, 'http://localhost').hash.slice(1))
