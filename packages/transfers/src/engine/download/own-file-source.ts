import { getWrappedKey, type OwnFileKeyInput, openOwnFileKey } from '@sallyport/client/own-file-key'
import { prepareRequest } from '@sallyport/client/request'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { keyIdOf, keyIdText, type RootKey } from '@sallyport/crypto'
import { type DownloadSource, keysOf } from './source.ts'

export interface OwnFile extends OwnFileKeyInput {
  readonly accountKey: RootKey | Promise<RootKey>
}

/** One of the caller's own files. */
export function ownFileSource(file: OwnFile): DownloadSource {
  const params = { id: file.id }
  return {
    path: fillPath(files.download.path, params),
    needsAccessToken: true,
    async open(call, baseUrl) {
      const root = await file.accountKey
      const keys = await keysOf(openOwnFileKey(await getWrappedKey(call, file), file, root))
      const headers = { 'x-encryption-key': keyIdText(await keyIdOf(root, 'account')) }
      return { keys, request: prepareRequest(files.download, { params, headers }, baseUrl) }
    },
  }
}
