import { expect } from 'vitest'
import { call, openLiveSocket } from '../../testing/clients/operator.ts'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { runAdmin, adminSettings as settingsOf } from '../../testing/servers/admin-command.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'

onAnyDatabase('T065 ban ends the sessions and sockets of a user within 6 seconds', async (stage) => {
  const settings = settingsOf(stage)
  const server = await startWholeServer(settings)
  const credentials = { email: randomEmail(), password: randomCredential() }
  await call(`${server.url}/api/register`, credentials)
  const { session } = await call(`${server.url}/api/login`, credentials)
  const ask = async () => (await call(`${server.url}/api/user-info`, undefined, session.access_token)).status
  expect(await ask()).toBe(200)
  const socket = await openLiveSocket(server.url, session.access_token)

  await runAdmin(settings, 'ban', credentials.email)
  const elapsed = await startStopwatch()
  await expect.poll(() => socket.closeCodes).toEqual([4001])
  const socketMs = elapsed()
  await expect.poll(ask, { interval: 250 }).toBe(401)

  expect([socketMs < 6000, elapsed() < 6000]).toEqual([true, true])
  await server.stop()
})
