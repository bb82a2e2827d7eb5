import { prepareRequest } from '@sallyport/client/request'
import type { SharedFile } from '@sallyport/client/sharing/shared-file'
import { fillPath } from '@sallyport/contract/endpoint'
import { sharing } from '@sallyport/contract/sharing'
import type { DownloadSource } from './source.ts'

/** A file that was shared by a link. */
export function sharedFileSource({ token, proof, claim, keys }: SharedFile): DownloadSource {
  const input = { params: { token }, headers: { 'x-share-proof': proof, 'x-share-claim': claim } }
  return {
    path: fillPath(sharing.download.path, input.params),
    needsAccessToken: false,
    open: async (_call, baseUrl) => ({ keys, request: prepareRequest(sharing.download, input, baseUrl) }),
  }
}
