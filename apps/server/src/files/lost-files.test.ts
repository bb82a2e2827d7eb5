import { expect } from 'vitest'
import { sealFile } from '../testing/sealed-file.ts'
import { onStoringServer, storedObjects } from '../testing/storing-server.ts'

onStoringServer('files whose key is gone are marked in the list, and deleted without the others', async (server) => {
  const [mine, theirs] = [await server.aUser(), await server.aUser()]
  const [lost, kept] = [
    await server.store(mine, await sealFile({ plainBytes: 10 })),
    await server.store(mine, await sealFile({ plainBytes: 20 })),
  ]
  const foreign = await server.store(theirs, await sealFile({ plainBytes: 30 }))
  await server.db.updateTable('files').set({ lost: 1 }).where('id', 'in', [lost, foreign]).execute()
  const listed = async () =>
    (await server.call(mine, 'GET', '/api/files'))
      .json()
      .files.map(({ id, lost }: { id: string; lost?: true }) => [id, lost])
  expect(await listed()).toEqual([
    [kept, undefined],
    [lost, true],
  ])

  const deleted = await server.call(mine, 'DELETE', '/api/lost-files')

  expect(deleted.json()).toEqual({ success: true, deleted: 1 })
  expect(await listed()).toEqual([[kept, undefined]])
  expect(server.events).toContainEqual({ userId: mine, event: { type: 'file.deleted', id: lost } })
  const objects = storedObjects(server.bytesFolder).join(' ')
  expect([lost, kept, foreign].map((id) => objects.includes(id))).toEqual([false, true, true])
})
