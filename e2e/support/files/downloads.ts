import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { sha256Of } from './random-file.ts'

export interface SavedDownload {
  readonly name: string
  readonly path: string
  /** Hexadecimal. */
  readonly sha256: string
}

/** Starts a download and waits until the browser has saved it. */
export async function saveDownload(
  page: Page,
  folder: string,
  startDownload: () => Promise<void>,
): Promise<SavedDownload> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 480_000 }), startDownload()])
  return save(download, folder)
}

async function save(download: Download, folder: string): Promise<SavedDownload> {
  const path = join(folder, `saved-${download.suggestedFilename()}`)
  await download.saveAs(path)
  return { name: download.suggestedFilename(), path, sha256: await sha256Of(path) }
}
