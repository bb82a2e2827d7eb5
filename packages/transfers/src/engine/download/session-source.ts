import { prepareRequest } from '@sallyport/client/request'
import { fillPath } from '@sallyport/contract/endpoint'
import { sessionFiles } from '@sallyport/contract/session-files'
import { openEnvelope, type RootKey } from '@sallyport/crypto'
import { type DownloadSource, keysOf } from './source.ts'

interface SessionFile {
  readonly id: string
  /** The session key. */
  readonly root: RootKey
  readonly encryptedFileKey: string
  readonly participantToken: string
}

/** A file of a session in which the caller is a participant. */
export function sessionSource({ id, root, encryptedFileKey, participantToken }: SessionFile): DownloadSource {
  const params = { fileId: id }
  return {
    path: fillPath(sessionFiles.download.path, params),
    needsAccessToken: false,
    async open(_call, baseUrl) {
      const keys = await keysOf(openEnvelope({ envelope: encryptedFileKey, root, wrapType: 'session' }))
      const input = { params, headers: { 'x-participant-token': participantToken }, query: {} }
      return { keys, request: prepareRequest(sessionFiles.download, input, baseUrl) }
    },
  }
}
