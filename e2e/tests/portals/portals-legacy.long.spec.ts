import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { joinAsLegacyPeer } from '../../support/portals/legacy-peer.ts'
import {
  answerUnverified,
  directConnectionOptions,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('POR-04 POR-07 a legacy peer whose ready message is lost is assumed to be ready after 10 s', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const other = await openPortalPage(await anotherBrowser(), server.url)
  const report = joinAsLegacyPeer(other, { pin: await openPortal(creator), isReadyMessageLost: true })
  await answerUnverified(creator)
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'basic.bin', bytes: 40_000 })

  await sendFiles(creator, [file.path])

  expect(await report).toMatchObject({ sha256: [file.sha256] })
})
