import { test } from 'vitest'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import { testProvider } from '../../../testing/provider-suite.ts'
import { startAccountServer } from '../../../testing/servers/account-server.ts'

const hourSeconds = 3600

testProvider((title, body) =>
  onAnyDatabase(title, async (stage) => {
    const { app, provider } = await startAccountServer(stage, { confirmEmails: true })
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    try {
      await body({ url, apikey: 'sallyport', serviceKey: await provider.issueServiceKey(hourSeconds) })
    } finally {
      await app.close()
    }
  }),
)

/** Runs the same suite on any other provider of the protocol that confirms addresses and supports TOTP. */
const { PROVIDER_URL: url, PROVIDER_KEY: apikey = '', PROVIDER_SERVICE_KEY: serviceKey = '' } = process.env
if (url !== undefined) testProvider((title, body) => test(title, () => body({ url, apikey, serviceKey })))
