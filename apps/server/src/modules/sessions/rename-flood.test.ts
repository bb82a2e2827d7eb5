import { rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onSessionServer } from '../../testing/servers/session-server.ts'

const { points } = rateLimits.renamesPerParticipant

onSessionServer(
  'a participant can be renamed 10 times a minute, and the list is published at most once a second',
  async (server) => {
    const { pin, id, token } = await server.createSession({ key_mode: 'pin' })
    const guest = await server.joinAsGuest(pin)
    const { events, socket } = await server.openLiveSocket(id, { token })
    await expect.poll(() => events.map(({ type }) => type)).toContain('ready')
    await new Promise((resolve) => setTimeout(resolve, 1200))
    const before = events.filter(({ type }) => type === 'session.peers').length
    const startedAt = performance.now()

    const statuses: number[] = []
    for (let count = 0; count < points + 5; count += 1) {
      const answer = await server.put(
        `/api/sessions/${id}/participant`,
        { participant_name: null },
        { token: guest.token },
      )
      statuses.push(answer.statusCode)
    }
    const other = await server.put(`/api/sessions/${id}/participant`, { participant_name: null }, { token })
    await new Promise((resolve) => setTimeout(resolve, 2200))
    const periods = Math.ceil((performance.now() - startedAt) / 1000)
    socket.terminate()

    expect(statuses).toEqual([...Array(points).fill(200), ...Array(5).fill(429)])
    expect(other.statusCode).toBe(200)
    const lists = events.filter(({ type }) => type === 'session.peers').length - before
    expect(lists).toBeGreaterThan(0)
    // The first list of the burst, and one at the end of each period.
    expect(lists).toBeLessThanOrEqual(periods + 1)
  },
)
