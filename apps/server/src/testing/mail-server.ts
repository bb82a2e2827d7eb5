import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface Manners {
  /** Port of an earlier one that went away. */
  readonly port?: number
  /** Answers every recipient with this status. */
  readonly refuseWith?: number
  /** What it does before it takes a letter. */
  readonly think?: () => Promise<void>
}

/** A mail server that keeps what it is sent. */
export async function startMailServer({ port = 0, refuseWith, think = async () => undefined }: Manners = {}) {
  const letters: Email[] = []
  const attempts: string[] = []
  const manners = { refuseWith }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      attempts.push(address)
      const status = manners.refuseWith
      done(
        status === undefined ? null : Object.assign(new Error(`no letters for ${address}`), { responseCode: status }),
      )
    },
    onData(stream, _session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        think()
          .then(() => PostalMime.parse(Buffer.concat(pieces)))
          .then((letter) => {
            letters.push(letter)
            done()
          }, done)
      })
    },
  })
  // Clients that break off are no failure of the test.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let stopped = false

  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await new Promise<void>((resolve) => server.close(resolve))
  }
  onTestFinished(stop)

  const { port: taken } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    /** What was taken, oldest first. */
    letters,
    /** Every recipient that was named to it. */
    attempts,
    manners,
    stop,
  }
}
