import { createAccount } from '../../support/account/account.ts'
import { signIn } from '../../support/account/users.ts'
import { listOpfs } from '../../support/browser/opfs.ts'
import { recordVideo } from '../../support/browser/record-video.ts'
import { openScriptlessPage } from '../../support/files/scriptless-page.ts'
import { expect, test } from '../../support/journey.ts'
import { directConnectionOptions } from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('FIL-18 a page closed during a video leaves nothing of it', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const film = await recordVideo(page)
  // Players ignore what follows the video.
  await account.upload(new File([film, new Uint8Array(6_000_000)], 'walk.webm'), 60)
  const scriptlessPage = await openScriptlessPage(page, server.url)

  await page.getByRole('button', { name: 'Show walk.webm' }).click()
  await expect(page.getByRole('dialog').locator('video')).toBeVisible()
  expect(await listOpfs(scriptlessPage)).toHaveLength(1)
  await page.close()

  await expect.poll(() => listOpfs(scriptlessPage)).toEqual([])
})
