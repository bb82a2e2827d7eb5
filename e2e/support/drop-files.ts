import type { Locator, Page } from '@playwright/test'

/** Drags files from outside over the page and lets go of them there: the browser takes the paths as from a file manager. */
export async function dropFiles(page: Page, target: Locator, paths: readonly string[]): Promise<void> {
  await drag(page, target, paths, ['dragEnter', 'dragOver', 'drop'])
}

/** Drags files over the page and holds them there; the returned function lets go of them. */
export async function holdFiles(page: Page, target: Locator, paths: readonly string[]): Promise<() => Promise<void>> {
  await drag(page, target, paths, ['dragEnter', 'dragOver'])
  return () => drag(page, target, paths, ['drop'])
}

type Step = 'dragEnter' | 'dragOver' | 'drop'

async function drag(page: Page, target: Locator, paths: readonly string[], steps: readonly Step[]): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('What the files are to be dropped on is not on the screen')
  const client = await page.context().newCDPSession(page)
  const event = {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    data: { items: [], files: [...paths], dragOperationsMask: 1 },
  }
  for (const type of steps) await client.send('Input.dispatchDragEvent', { type, ...event })
  await client.detach()
}
