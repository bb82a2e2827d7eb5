import { expect, test, vi } from 'vitest'
import type { UpdateOptions, UploadTransaction } from './upload-store.ts'
import { createUploadStoreWriter } from './upload-store-writer.ts'

const transactions = vi.hoisted((): UpdateOptions[] => [])
vi.mock('./upload-store.ts', () => ({
  async updateUploads(update: (transaction: UploadTransaction) => Promise<unknown>, options: UpdateOptions) {
    transactions.push(options)
    await update({} as UploadTransaction)
  },
}))

test('ACC-12 only a combined write with a new upload creates the database', async () => {
  const writer = createUploadStoreWriter()
  const order: string[] = []
  const add = (name: string) => () => order.push(name)

  await writer.write(add('removal'))
  await Promise.all([writer.write(add('digest')), writer.write(add('new upload'), { createsDatabase: true })])
  await writer.write(add('late digest'))

  expect(order).toEqual(['removal', 'digest', 'new upload', 'late digest'])
  expect(transactions.map(({ createsDatabase }) => createsDatabase)).toEqual([false, true, false])
})
