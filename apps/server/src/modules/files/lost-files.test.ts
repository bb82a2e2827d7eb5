import { expect } from 'vitest'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { onFileServer, storedObjects } from '../../testing/servers/file-server.ts'

onFileServer('lost files are marked in the list and can be deleted without the others', async (server) => {
  const [mine, theirs] = [await server.createUser(), await server.createUser()]
  const [lost, readable] = [
    await server.store(mine, await sealFile({ plainBytes: 10 })),
    await server.store(mine, await sealFile({ plainBytes: 20 })),
  ]
  const foreign = await server.store(theirs, await sealFile({ plainBytes: 30 }))
  await server.db.updateTable('files').set({ lost: 1 }).where('id', 'in', [lost, foreign]).execute()
  const listIds = async () =>
    (await server.call(mine, 'GET', '/api/files'))
      .json()
      .files.map(({ id, lost }: { id: string; lost?: true }) => [id, lost])
  expect(await listIds()).toEqual([
    [readable, undefined],
    [lost, true],
  ])

  const deleted = await server.call(mine, 'DELETE', '/api/lost-files')

  expect(deleted.json()).toEqual({ success: true, deleted: 1 })
  expect(await listIds()).toEqual([[readable, undefined]])
  expect(server.events).toContainEqual({ userId: mine, event: { type: 'file.deleted', id: lost } })
  const objects = storedObjects(server.bytesFolder).join(' ')
  expect([lost, readable, foreign].map((id) => objects.includes(id))).toEqual([false, true, true])
})
