import { test as journey } from '../journey.ts'
import { type SmsGateway, startSmsGateway } from './sms-gateway.ts'

/** Journeys against a server that sends its text messages to a gateway of the test. */
export const test = journey.extend<{ readonly smsGateway: SmsGateway }>({
  smsGateway: async ({ browserName: _ }, use) => {
    const smsGateway = await startSmsGateway()
    await use(smsGateway)
    await smsGateway.stop()
  },
  server: async ({ serverRunner, smsGateway }, use) => {
    const server = await serverRunner.start({ SMS_URL: smsGateway.url })
    await use(server)
    await server.stop()
  },
})

export const phone = '+491701234567'
