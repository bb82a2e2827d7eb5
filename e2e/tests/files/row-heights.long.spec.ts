import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'

for (const width of [390, 1280]) {
  test(`FIL-10 rows outside a screen of ${width} pixels reserve the height that they take`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const account = await createAccount(server.url)
    for (let index = 0; index < 40; index += 1) await account.upload(new File(['x'], `plan ${index}.pdf`))
    await openFiles(page, account)
    const rows = page.locator('.file-row')
    await expect(rows).toHaveCount(40)

    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))

    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1)
  })
}
