import { test as base, expect } from './journey.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { startServer } from './server.ts'

interface MailJourney {
  readonly mail: MailServer
  /** Off for journeys that begin with an account which is there already. */
  readonly mustConfirm: boolean
}

/** Journeys on a server that sends its letters to a mail server of the test's own. */
export const test = base.extend<MailJourney>({
  mustConfirm: [true, { option: true }],
  mail: async ({ browserName: _ }, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.stop()
  },
  server: async ({ mail, mustConfirm }, use) => {
    const server = await startServer({
      environment: { SMTP_URL: mail.url, VERIFY_ADDRESSES: mustConfirm ? 'on' : 'off' },
    })
    await use(server)
    await server.stop()
  },
})

export { expect }
