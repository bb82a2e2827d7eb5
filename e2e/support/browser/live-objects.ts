import type { Page } from '@playwright/test'

/** Counts the objects of this kind that a page still references after garbage collection; closed ones do not count. */
export async function countLive(page: Page, kind: 'CryptoKey' | 'RTCPeerConnection' | 'MediaStream'): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  const { result: prototype } = await devtools.send('Runtime.evaluate', { expression: `${kind}.prototype` })
  if (!prototype.objectId) throw new Error(`The page has no ${kind}`)
  const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId })
  if (!objects.objectId) throw new Error(`Cannot query the objects of ${kind}`)
  const { result } = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: `function () { return this.filter(isLive).length
      function isLive(one) { return one.connectionState !== 'closed' && one.active !== false } }`,
  })
  await devtools.detach()
  return result.value
}

export const countCryptoKeys = (page: Page): Promise<number> => countLive(page, 'CryptoKey')
export const countPeerConnections = (page: Page): Promise<number> => countLive(page, 'RTCPeerConnection')
