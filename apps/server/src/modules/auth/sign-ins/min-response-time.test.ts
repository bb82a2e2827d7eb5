import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

onEmbeddedDatabase('entering a code takes as long for an unknown address as for a known one', async (stage) => {
  const minResponseMs = 300
  const server = await startAccountServer(stage, { minResponseMs })
  const member = randomEmail()
  await server.provider.createUser({ email: member, credential: randomCredential(), confirmed: true })
  await server.post('/auth/v1/recover', { email: member })
  const enter = async (email: string): Promise<number> => {
    const before = performance.now()
    const { statusCode } = await server.post('/auth/v1/verify', { type: 'recovery', email, token: '000000' })
    expect(statusCode).toBe(403)
    return performance.now() - before
  }

  // Timers may fire a millisecond early.
  expect(await enter(member)).toBeGreaterThanOrEqual(minResponseMs - 1)
  expect(await enter(randomEmail())).toBeGreaterThanOrEqual(minResponseMs - 1)
})
