import { uploadAndShare } from '../../support/files/upload-and-share.ts'
import { test } from '../../support/journey.ts'

test('T175 a new user uploads and shares 300 MB, and a recipient without an account downloads identical bytes', async ({
  page,
  context,
  folder,
  anotherBrowser,
}) => {
  // 300 MB there and back take 30 seconds on two idle processors, and 10 times as long on slow ones next to other tests.
  test.setTimeout(600_000)
  await uploadAndShare({ page, context, folder, anotherBrowser, megabytes: 300 })
})
