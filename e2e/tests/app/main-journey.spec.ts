import { uploadAndShare } from '../../support/files/upload-and-share.ts'
import { test } from '../../support/journey.ts'

test('FIL-01 FIL-02 FIL-03 FIL-10 SHR-01 SHR-03 T175 a new user uploads and shares a file, and a recipient without an account downloads identical bytes', async ({
  page,
  context,
  folder,
  anotherBrowser,
}) => {
  await uploadAndShare({ page, context, folder, anotherBrowser, megabytes: 24 })
})
