import { expect } from 'vitest'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import { expectSameMinimum } from '../../../testing/expect-same-timing.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

const hour = 3_600_000

onAnyDatabase('T045 an unknown address takes as long as a wrong secret', async (stage) => {
  const server = await startAccountServer(stage)
  const { email } = await server.createMember()
  const timeOf = async (address: string) => {
    // Stays below the limits of the IP address.
    stage.advance(hour)
    const before = performance.now()
    const { statusCode } = await server.post('/api/login', { email: address, password: randomCredential() })
    const ms = performance.now() - before
    expect(statusCode).toBe(401)
    return ms
  }

  await expectSameMinimum(
    { known: () => timeOf(email), unknown: () => timeOf(randomEmail()) },
    (known, unknown) => known < 2 * unknown && unknown < 2 * known,
  )
})
