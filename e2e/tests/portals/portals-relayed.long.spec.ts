import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  blockDirectPaths,
  connectAtPortal,
  directConnectionOptions,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('without a direct path a file is relayed encrypted through the server, unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  for (const one of [context, other]) await blockDirectPaths(one)
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  await expect(creator.getByText('Relayed')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'relayed.bin', bytes: 5_000_000 })

  await sendFiles(joiner, [file.path])
  const saved = await acceptFile(creator, folder)

  expect(saved.sha256).toBe(file.sha256)
})
