import { expect, test } from '../../support/journey.ts'
import { hostSession, joinAsGuest, log, messageWith, sendSessionMessage } from '../../support/sessions.ts'

const desktop = { width: 1280, height: 860 }
const phone = { width: 390, height: 844 }

for (const [device, size] of [
  ['desktop', desktop],
  ['phone', phone],
] as const) {
  test(`SES-06 on a ${device} the newest message stays in view, and a reader further up sees that there are new ones`, async ({
    page,
    server,
    anotherBrowser,
  }) => {
    const pin = await hostSession(page, server.url)
    const guest = await (await anotherBrowser({ baseURL: server.url, viewport: size })).newPage()
    await joinAsGuest(guest, pin)
    await sendSessionMessage(guest, 'from the guest')
    const own = messageWith(guest, 'from the guest')
    await expect(own).toBeVisible()
    for (let index = 0; index < 15; index += 1) {
      await sendSessionMessage(page, `message ${index}`)
      await expect(messageWith(guest, `message ${index}`).last()).toBeInViewport()
    }
    const cards = log(guest).getByRole('listitem')
    await expect(cards.first()).toContainText('from the guest')
    await expect(cards.last()).toContainText('message 14')
    const [ownBox, otherBox] = [await own.boundingBox(), await cards.last().boundingBox()]
    expect((ownBox?.x ?? 0) > (otherBox?.x ?? 0), 'own messages are set apart').toBe(true)

    await guest.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const newMessages = guest.getByRole('button', { name: 'New messages' })
    await expect(newMessages).toHaveCount(0)
    await sendSessionMessage(page, 'the last one')
    await expect(newMessages).toBeVisible()
    await expect(messageWith(guest, 'the last one')).not.toBeInViewport()
    await newMessages.click()
    await expect(messageWith(guest, 'the last one')).toBeInViewport()
    await expect(newMessages).toHaveCount(0)
  })
}
