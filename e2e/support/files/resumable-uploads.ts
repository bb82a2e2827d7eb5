import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../account/account.ts'
import { openFiles } from '../account/open-files.ts'
import { makeRandomFile } from './random-file.ts'

export const resumableUploads = (page: Page): Locator => page.getByRole('region', { name: 'Uploads to resume' })

export async function signInWithTestFile(page: Page, { url, folder }: { url: string; folder: string }) {
  const account = await createAccount(url, 'mara@example.org')
  const file = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })
  await openFiles(page, account)
  return { account, file }
}
