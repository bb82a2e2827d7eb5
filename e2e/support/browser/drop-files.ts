import type { Locator, Page } from '@playwright/test'

/** Drags files over the page and drops them: the browser receives the paths as from a file manager. */
export async function dropFiles(page: Page, target: Locator, paths: readonly string[]): Promise<void> {
  await drag(page, target, paths, ['dragEnter', 'dragOver', 'drop'])
}

/** Drags files over the page and holds them there; the returned function drops them. */
export async function dragFilesOver(
  page: Page,
  target: Locator,
  paths: readonly string[],
): Promise<() => Promise<void>> {
  await drag(page, target, paths, ['dragEnter', 'dragOver'])
  return () => drag(page, target, paths, ['drop'])
}

type DragEventType = 'dragEnter' | 'dragOver' | 'drop'

async function drag(
  page: Page,
  target: Locator,
  paths: readonly string[],
  steps: readonly DragEventType[],
): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('The drop target is not visible')
  const client = await page.context().newCDPSession(page)
  const event = {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    data: { items: [], files: [...paths], dragOperationsMask: 1 },
  }
  for (const type of steps) await client.send('Input.dispatchDragEvent', { type, ...event })
  await client.detach()
}
