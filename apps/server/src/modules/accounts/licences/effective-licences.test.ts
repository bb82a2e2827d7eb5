import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startAccountServer } from '../../../testing/servers/account-server.ts'
import { createLicencesStore } from './licences.store.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3

onBothDatabases('ADM-02 lists follow a licence when it is granted, when it ends and after a start', async (stage) => {
  const server = await startAccountServer(stage)
  const { userId } = await server.createMember()
  const store = createLicencesStore(stage.db)
  const row = () =>
    stage.db
      .selectFrom('effective_licences')
      .select(['type', 'valid_until'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
  const trialEnd = stage.now() + 7 * day

  await server.refreshLicences()
  expect(await row()).toEqual({ type: 'trial', valid_until: trialEnd })

  const licence = { type: 'vip', storageBytes: gigabyte, expiresAt: stage.now() + day } as const
  await store.grantByAdmin({ userId, licence, now: stage.now() })
  await server.refreshLicences()
  expect(await row()).toEqual({ type: 'vip', valid_until: stage.now() + day })

  stage.advance(day)
  await server.refreshLicences()
  expect(await row()).toEqual({ type: 'trial', valid_until: trialEnd })

  stage.advance(7 * day)
  await server.refreshLicences()
  // The trial ended last, and nothing but a new licence changes that.
  expect(await row()).toEqual({ type: 'trial', valid_until: null })

  await stage.db.deleteFrom('effective_licences').execute()
  await (await startAccountServer(stage)).refreshLicences()
  expect(await row()).toEqual({ type: 'trial', valid_until: null })
  await stage.db.deleteFrom('users').where('id', '=', userId).execute()
  expect(await row()).toBeUndefined()
})
