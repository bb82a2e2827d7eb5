import { sessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onSessionServer, type SessionServer } from '../testing/session-server.ts'

const office = '203.0.113.9'

/** Has three clients of one address ask with the PIN alone, as those of the bare specification do. */
async function poll({ get }: SessionServer, id: string, pin: string): Promise<number[]> {
  const statuses = []
  for (let count = 0; count < 12; count += 1) {
    statuses.push((await get(`/api/sessions/${id}/messages`, { pin, address: office })).statusCode)
  }
  return statuses
}

for (const setting of ['locked', 'approval'] as const) {
  onSessionServer(
    `SES-05 clients behind one address that poll a session with ${setting} by its PIN do not lock their address`,
    async (server) => {
      const { aSession, aGuest, put, get, join } = server
      const { id, pin, token } = await aSession()
      const other = await aSession()
      for (let count = 0; count < 3; count += 1) await aGuest(pin, office)
      await put(`/api/sessions/${id}/settings`, { [setting]: true }, { token })

      expect(await poll(server, id, pin)).toEqual(Array(12).fill(404))

      expect((await join({ session_pin: other.pin }, { address: office })).statusCode).toBe(200)
      await put(`/api/sessions/${id}/settings`, { [setting]: false }, { token })
      expect((await get(`/api/sessions/${id}/messages`, { pin, address: office })).statusCode).toBe(200)
    },
  )
}

onSessionServer('T197 wrong PINs from the address of a participant are still counted', async (server) => {
  const { aSession, aGuest, put, join } = server
  const { id, pin, token } = await aSession()
  await aGuest(pin, office)
  await put(`/api/sessions/${id}/settings`, { locked: true }, { token })

  const statuses = await poll(server, id, pin === '482915' ? '482916' : '482915')

  expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
  expect((await join({ session_pin: pin }, { address: office })).statusCode).toBe(429)
})

onSessionServer(
  'SES-02 fifteen people behind one IPv4 address can ask to be let in, and five of an IPv6 /48',
  async (server) => {
    const { aSession, join, put, get } = server
    const { waitingKnocksPerAddress, waitingKnocksPerBlock } = sessionLimits
    for (const [most, addressOf] of [
      [waitingKnocksPerAddress, () => office],
      [waitingKnocksPerBlock, (index: number) => `2001:db8:1:${index + 1}::1`],
    ] as const) {
      const { id, pin, token } = await aSession()
      await put(`/api/sessions/${id}/settings`, { approval: true }, { token })
      const codes = []
      for (let index = 0; index <= most; index += 1) {
        codes.push((await join({ session_pin: pin }, { address: addressOf(index) })).json().code)
      }

      expect(codes).toEqual([...Array(most).fill('APPROVAL_REQUIRED'), 'RATE_LIMITED'])
      expect((await get(`/api/sessions/${id}`, { token })).json().session.knocks).toHaveLength(most)
      expect((await join({ session_pin: pin }, { address: '192.0.2.1' })).json().code).toBe('APPROVAL_REQUIRED')
    }
  },
)

onSessionServer(
  'of 90 concurrent wrong PINs of one address some get 503 with Retry-After, and others are served',
  async (server) => {
    const { aSession, join } = server
    const { pin } = await aSession()

    const flood = Array.from({ length: 90 }, () => join({ session_pin: '482915' }, { address: office }))
    const other = await join({ session_pin: pin }, { address: '192.0.2.1' })
    const answers = await Promise.all(flood)
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length

    expect(other.statusCode).toBe(200)
    expect([count(404), count(404) + count(429) + count(503)]).toEqual([10, 90])
    const refused = answers.find(({ statusCode }) => statusCode === 503)
    expect([refused?.json().code, refused?.headers['retry-after']]).toEqual(['UNAVAILABLE', '2'])
  },
)
