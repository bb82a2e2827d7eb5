const prefix = 'upload-'

/** Settles once other pages can take it. */
export type LetGo = () => Promise<void>

/**
 * Takes an upload for this page alone and gives the function that lets it go; null when another page has it. A page that
 * is closed or killed has let go of everything.
 */
export function claimUpload(uploadId: string): Promise<LetGo | null> {
  const claimed = Promise.withResolvers<LetGo | null>()
  const held = Promise.withResolvers<void>()
  const request = navigator.locks.request(prefix + uploadId, { ifAvailable: true }, async (lock) => {
    claimed.resolve(lock ? letGo : null)
    if (lock) await held.promise
  })
  const letGo = async () => {
    held.resolve()
    await request
  }
  request.catch(claimed.reject)
  return claimed.promise
}

/** Ids of the uploads that some page of this browser has claimed. */
export async function claimedUploads(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
  return new Set(names.map((name) => name.slice(prefix.length)))
}
