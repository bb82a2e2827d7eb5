import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { listOpfs } from '../../support/browser/opfs.ts'
import { recordVideo } from '../../support/browser/record-video.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makePng } from '../../support/files/png.ts'
import { expect, test } from '../../support/journey.ts'

const phone = { width: 390, height: 844 }
const overlay = (page: Page) => page.getByRole('dialog')
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script></svg>'

test('FIL-18 images open full screen, are navigated with the arrow keys and close with Escape', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([makePng(320, 200, [60, 120, 110])], 'second.png'), 60)
  await account.upload(new File(['x'], 'between.txt'), 60)
  await account.upload(new File([makePng(640, 400, [180, 120, 60])], 'first.png'), 60)
  await openFiles(page, account)

  await fileRow(page, 'first.png').getByRole('button', { name: 'Show first.png' }).press('Enter')
  await expect(overlay(page).getByRole('img', { name: 'first.png' })).toBeVisible()
  await expect(overlay(page).getByText('1 of 2')).toBeVisible()
  expect(await imageInfo(page)).toEqual({ scheme: 'blob:', width: 640 })
  expect(await checkAccessibility(page, { excludedRules: ['region'] })).toEqual([])

  await page.keyboard.press('ArrowRight')
  await expect(overlay(page).getByRole('img', { name: 'second.png' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(overlay(page).getByRole('img', { name: 'second.png' })).toBeVisible()
  const saved = await saveDownload(page, folder, () => overlay(page).getByRole('button', { name: 'Save' }).click())
  expect(saved.name).toBe('second.png')

  await page.keyboard.press('Escape')
  await expect(overlay(page)).toHaveCount(0)
  await expect(fileRow(page, 'first.png').getByRole('button', { name: 'Show first.png' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Show between.txt' })).toHaveCount(0)
})

test('T178 T179 files that can contain scripts have no preview, and an SVG named as an image does nothing', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  for (const name of ['drawing.svg', 'page.html', 'paper.pdf']) await account.upload(new File([svg], name), 60)
  await account.upload(new File([svg], 'disguised.png', { type: 'image/svg+xml' }), 60)
  await openFiles(page, account)

  for (const name of ['drawing.svg', 'page.html', 'paper.pdf']) {
    await expect(fileRow(page, name)).toBeVisible()
    await expect(page.getByRole('button', { name: `Show ${name}` })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Show disguised.png' }).click()

  await expect(overlay(page).getByRole('alert')).toHaveText(
    'Your browser can’t display this file. You can still download it.',
  )
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
})

test('FIL-18 a video large enough to be buffered on disk plays in the page, and nothing of it stays', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  const videoBytes = await recordVideo(page)
  // Players ignore what follows the video.
  const paddedVideo = new File([videoBytes, new Uint8Array(6_000_000)], 'walk.webm')
  await account.upload(paddedVideo, 60)

  await page.getByRole('button', { name: 'Show walk.webm' }).click()
  const video = overlay(page).locator('video')
  await expect(video).toBeVisible()
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(64)
  expect(await listOpfs(page)).toHaveLength(1)

  await overlay(page).getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => listOpfs(page)).toEqual([])
  await account.upload(new File([videoBytes], 'walk.mov'), 60)
  await page.getByRole('button', { name: 'Show walk.mov' }).click()
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(64)
})

test('a preview closes when its file is deleted elsewhere, and a failed one shows an error and is retried', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File([makePng(8, 8, [1, 2, 3])], 'one.png'), 60)
  await openFiles(page, account)
  await page.route('**/api/download/*', (route) => route.fulfill({ status: 403, body: '' }))

  await page.getByRole('button', { name: 'Show one.png' }).click()
  await expect(overlay(page).getByRole('alert')).toContainText('Download failed: 403')
  await page.unroute('**/api/download/*')
  await overlay(page).getByRole('button', { name: 'Retry' }).click()
  await expect(overlay(page).getByRole('img', { name: 'one.png' })).toBeVisible()

  await fetch(`${server.url}/api/file/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${account.accessToken}` },
  })
  await expect(overlay(page)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true, isMobile: true })

  test('FIL-18 pinching zooms an image, a swipe shows the next and a swipe down closes it', async ({
    page,
    server,
  }) => {
    const account = await createAccount(server.url)
    await account.upload(new File([makePng(64, 64, [60, 120, 110])], 'a.png'), 60)
    await account.upload(new File([makePng(64, 64, [180, 120, 60])], 'b.png'), 60)
    await openFiles(page, account)
    await page.getByRole('button', { name: 'Show a.png' }).tap()
    const image = (name: string) => overlay(page).getByRole('img', { name })
    await expect(image('a.png')).toBeVisible()
    const widthBefore = (await image('a.png').boundingBox())?.width ?? 0

    await dispatchTouches(page, [
      [
        { x: 180, y: 400 },
        { x: 210, y: 400 },
      ],
      [
        { x: 120, y: 400 },
        { x: 270, y: 400 },
      ],
    ])
    await expect.poll(async () => (await image('a.png').boundingBox())?.width).toBeGreaterThan(widthBefore * 3)
    await dispatchTouches(page, [
      [
        { x: 120, y: 400 },
        { x: 270, y: 400 },
      ],
      [
        { x: 194, y: 400 },
        { x: 196, y: 400 },
      ],
    ])
    await expect.poll(async () => (await image('a.png').boundingBox())?.width).toBe(widthBefore)

    await dispatchTouches(page, [[{ x: 300, y: 400 }], [{ x: 200, y: 405 }], [{ x: 120, y: 405 }]])
    await expect(image('b.png')).toBeVisible()
    expect(await checkAccessibility(page, { excludedRules: ['region'] })).toEqual([])
    await dispatchTouches(page, [[{ x: 200, y: 300 }], [{ x: 205, y: 400 }], [{ x: 205, y: 500 }]])
    await expect(overlay(page)).toHaveCount(0)
  })
})

interface Finger {
  readonly x: number
  readonly y: number
}

/** Dispatches a touch with these fingers from position to position. */
async function dispatchTouches(page: Page, positions: readonly (readonly Finger[])[]): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const [start = [], ...rest] = positions
  const touchPoints = (fingers: readonly Finger[]) => fingers.map(({ x, y }, id) => ({ x, y, id }))
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPoints(start) })
  for (const position of rest) {
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: touchPoints(position) })
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await client.detach()
}

/** URL scheme and natural width of the displayed image. */
async function imageInfo(page: Page) {
  return page.evaluate(async () => {
    const image = document.querySelector<HTMLImageElement>('[role="dialog"] img')
    await image?.decode()
    const { protocol: scheme } = new URL(image?.src ?? '')
    return { scheme, width: image?.naturalWidth }
  })
}
