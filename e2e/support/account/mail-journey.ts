import { test as base, expect } from '../journey.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

interface MailJourney {
  readonly mail: MailServer
  /** Off for journeys that start with an existing account. */
  readonly verifyAddresses: boolean
}

/** Journeys against a server that sends its emails to a mail server of the test. */
export const test = base.extend<MailJourney>({
  verifyAddresses: [true, { option: true }],
  mail: async ({ browserName: _ }, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.stop()
  },
  server: async ({ serverRunner, mail, verifyAddresses }, use) => {
    const environment = { SMTP_URL: mail.url, VERIFY_ADDRESSES: verifyAddresses ? 'on' : 'off' }
    const server = await serverRunner.start(environment)
    await use(server)
    await server.stop()
  },
})

export { expect }
