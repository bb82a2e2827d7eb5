import { sessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onSessionServer, type SessionServer } from '../../testing/servers/session-server.ts'

const office = '203.0.113.9'

/** Polls 12 times from one address with the PIN alone, as clients of the bare specification do. */
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
      const { createSession, joinAsGuest, put, get, join } = server
      const { id, pin, token } = await createSession()
      const other = await createSession()
      for (let count = 0; count < 3; count += 1) await joinAsGuest(pin, office)
      await put(`/api/sessions/${id}/settings`, { [setting]: true }, { token })

      expect(await poll(server, id, pin)).toEqual(Array(12).fill(404))

      expect((await join({ session_pin: other.pin }, { address: office })).statusCode).toBe(200)
      await put(`/api/sessions/${id}/settings`, { [setting]: false }, { token })
      expect((await get(`/api/sessions/${id}/messages`, { pin, address: office })).statusCode).toBe(200)
    },
  )
}

onSessionServer('T197 wrong PINs from the address of a participant still count', async (server) => {
  const { createSession, joinAsGuest, put, join } = server
  const { id, pin, token } = await createSession()
  await joinAsGuest(pin, office)
  await put(`/api/sessions/${id}/settings`, { locked: true }, { token })

  const statuses = await poll(server, id, pin === '482915' ? '482916' : '482915')

  expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
  expect((await join({ session_pin: pin }, { address: office })).statusCode).toBe(429)
})

onSessionServer(
  'SES-02 15 people behind one IPv4 address can request to join, and 5 of an IPv6 /48',
  async (server) => {
    const { createSession, join, put, get } = server
    const { maxJoinRequestsPerAddress, maxJoinRequestsPerBlock } = sessionLimits
    for (const [max, addressOf] of [
      [maxJoinRequestsPerAddress, () => office],
      [maxJoinRequestsPerBlock, (index: number) => `2001:db8:1:${index + 1}::1`],
    ] as const) {
      const { id, pin, token } = await createSession()
      await put(`/api/sessions/${id}/settings`, { approval: true }, { token })
      const codes = []
      for (let index = 0; index <= max; index += 1) {
        codes.push((await join({ session_pin: pin }, { address: addressOf(index) })).json().code)
      }

      expect(codes).toEqual([...Array(max).fill('APPROVAL_REQUIRED'), 'RATE_LIMITED'])
      expect((await get(`/api/sessions/${id}`, { token })).json().session.knocks).toHaveLength(max)
      expect((await join({ session_pin: pin }, { address: '192.0.2.1' })).json().code).toBe('APPROVAL_REQUIRED')
    }
  },
)

onSessionServer(
  'of 90 concurrent wrong PINs of one address some get 503 with Retry-After, and others are served',
  async (server) => {
    const { createSession, join } = server
    const { pin } = await createSession()

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
