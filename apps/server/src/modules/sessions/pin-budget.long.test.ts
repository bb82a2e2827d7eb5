import { expectSameTiming } from '../../testing/expect-same-timing.ts'
import { onSessionServer } from '../../testing/servers/session-server.ts'

const wrongPin = '876543'
const anyFile = '01a1fd00-0000-7000-8000-000000000000'

onSessionServer(
  'T090 over 200 pairs a call with the right PIN from a caller who has not joined takes as long as one with a wrong PIN',
  async (server) => {
    const { createSession, get, db } = server
    const { pin } = await createSession()
    let requests = 0
    const timeOf = (session_pin: string) => async (): Promise<number> => {
      requests += 1
      const before = performance.now()
      await get(`/api/sessions/files/${anyFile}`, {
        pin: session_pin,
        address: `10.3.${requests >> 8}.${requests & 255}`,
      })
      return performance.now() - before
    }
    await expectSameTiming({ known: timeOf(pin), unknown: timeOf(wrongPin) }, 1, () =>
      db.deleteFrom('pin_failures').execute(),
    )
  },
)
