import type { Page } from '@playwright/test'

/** How many objects of this kind a page still holds once all that nobody can reach is gone; what has ended does not count. */
export async function countLive(page: Page, kind: 'CryptoKey' | 'RTCPeerConnection' | 'MediaStream'): Promise<number> {
  const developer = await page.context().newCDPSession(page)
  const { result: prototype } = await developer.send('Runtime.evaluate', { expression: `${kind}.prototype` })
  if (!prototype.objectId) throw new Error(`The page knows no ${kind}`)
  const { objects } = await developer.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId })
  if (!objects.objectId) throw new Error(`Nobody counts ${kind}`)
  const { result } = await developer.send('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: `function () { return this.filter(isLive).length
      function isLive(one) { return one.connectionState !== 'closed' && one.active !== false } }`,
  })
  await developer.detach()
  return result.value
}
