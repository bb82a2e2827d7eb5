import { test } from 'vitest'
import { startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { testProvider } from '../../testing/provider-suite.ts'

const hourSeconds = 3600

testProvider((title, body) =>
  onBothDatabases(title, async (stage) => {
    const { app, provider } = await startAccounts(stage, { confirmAddresses: true })
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    try {
      await body({ url, apikey: 'sallyport', serviceKey: await provider.issueServiceKey(hourSeconds) })
    } finally {
      await app.close()
    }
  }),
)

/** Any other provider of the protocol can be held to the same: one that confirms addresses and takes codes of apps. */
const { PROVIDER_URL: url, PROVIDER_KEY: apikey = '', PROVIDER_SERVICE_KEY: serviceKey = '' } = process.env
if (url !== undefined) testProvider((title, body) => test(title, () => body({ url, apikey, serviceKey })))
