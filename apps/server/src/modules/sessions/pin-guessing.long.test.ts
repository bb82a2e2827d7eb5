import { expect } from 'vitest'
import { expectSameTiming } from '../../testing/expect-same-timing.ts'
import { onSessionServer } from '../../testing/servers/session-server.ts'
import { createUnjoinableSessions } from '../../testing/servers/unjoinable-sessions.ts'

const wrongPin = '876543'

onSessionServer('T090 over 200 pairs an ended or locked session answers as fast as a missing one', async (server) => {
  const { join, db } = server
  let requests = 0
  const timeOf = (session_pin: string) => async (): Promise<number> => {
    requests += 1
    const before = performance.now()
    const { statusCode } = await join({ session_pin }, { address: `10.1.${requests >> 8}.${requests & 255}` })
    expect(statusCode).toBe(404)
    return performance.now() - before
  }
  const clearFailures = async () => {
    await db.deleteFrom('pin_hours').execute()
    await db.deleteFrom('pin_failures').execute()
  }

  for (const pin of Object.values(await createUnjoinableSessions(server))) {
    await expectSameTiming({ known: timeOf(pin), unknown: timeOf(wrongPin) }, 1, clearFailures)
  }
})
