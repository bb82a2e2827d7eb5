import { join } from 'node:path'
import { createAccessTokens } from '../../modules/auth/tokens/access-tokens.ts'
import { openSigningKeys } from '../../modules/auth/tokens/signing-keys.ts'
import { startWholeServer } from './whole-server.ts'

const hourSeconds = 3600

/** Starts a server whose users are at a hosted auth provider, which is another server. */
export async function startHostedServer() {
  const providerServer = await startWholeServer({ PUBLIC_URL: 'http://provider.test' })
  const issuer = 'http://provider.test/auth/v1'
  const keys = await openSigningKeys(join(providerServer.folder, 'secrets'))
  const serviceKey = await createAccessTokens({
    keys,
    issuer,
    now: Date.now,
    allowAnyServiceKeyIssuer: false,
  }).issueServiceKey(hourSeconds)
  const server = await startWholeServer({
    AUTH_MODE: 'hosted',
    AUTH_URL: `${providerServer.url}/auth/v1/`,
    AUTH_ISSUER: issuer,
    AUTH_PUBLISHABLE_KEY: 'shown-to-everybody',
    AUTH_SERVICE_KEY: serviceKey,
  })
  async function stop(): Promise<void> {
    await server.stop()
    await providerServer.stop()
  }
  return { server: { ...server, stop }, providerServer, serviceKey }
}
