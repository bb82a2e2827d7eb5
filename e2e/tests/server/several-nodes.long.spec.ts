import { createRedisProcess } from '../../../apps/server/src/testing/engines/redis-process.ts'
import { createAccount } from '../../support/account/account.ts'
import { fileRow, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

test('F16 FIL-11 a page shows events of another node, and catches up by itself after a Redis crash', async ({
  browser,
  folder,
}) => {
  const redis = createRedisProcess()
  await redis.start()
  const serverOptions = { dataFolder: folder, environment: { REDIS_URL: redis.url } }
  const nodes = [await startServer(serverOptions), await startServer(serverOptions)] as const
  const account = await createAccount(nodes[0].url)
  const page = await browser.newPage({ baseURL: nodes[1].url })
  await signIn(page, account)

  await account.upload(new File(['one'], 'while-all-is-well.txt'))
  await expect(fileRow(page, 'while-all-is-well.txt')).toBeVisible()
  await redis.kill()
  await account.upload(new File(['two'], 'while-redis-is-away.txt'))
  await redis.start()
  await expect(fileRow(page, 'while-redis-is-away.txt')).toBeVisible()
  await expect.poll(async () => (await fetch(`${nodes[0].url}/readyz`)).status).toBe(200)
  await account.upload(new File(['three'], 'afterwards.txt'))
  await expect(fileRow(page, 'afterwards.txt')).toBeVisible()

  await page.close()
  for (const node of nodes) await node.stop()
  await redis.remove()
})
