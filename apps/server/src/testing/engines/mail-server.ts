import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface MailServerOptions {
  /** Port of an earlier server that was stopped. */
  readonly port?: number
  /** Rejects every recipient with this status code. */
  readonly rejectWith?: number
  /** Runs before an email is accepted. */
  readonly beforeAccept?: () => Promise<void>
}

/** Starts an SMTP server that stores the received emails. */
export async function startMailServer({
  port = 0,
  rejectWith,
  beforeAccept = async () => undefined,
}: MailServerOptions = {}) {
  const emails: Email[] = []
  const recipients: string[] = []
  const behaviour = { rejectWith }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      recipients.push(address)
      const status = behaviour.rejectWith
      done(
        status === undefined ? null : Object.assign(new Error(`no mailbox for ${address}`), { responseCode: status }),
      )
    },
    onData(stream, _session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        beforeAccept()
          .then(() => PostalMime.parse(Buffer.concat(pieces)))
          .then((email) => {
            emails.push(email)
            done()
          }, done)
      })
    },
  })
  // Aborted client connections do not fail the test.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let stopped = false

  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await new Promise<void>((resolve) => server.close(resolve))
  }
  onTestFinished(stop)

  const { port: actualPort } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${actualPort}`,
    port: actualPort,
    /** Accepted emails, oldest first. */
    emails,
    /** Recipients of all attempts. */
    recipients,
    behaviour,
    stop,
  }
}
