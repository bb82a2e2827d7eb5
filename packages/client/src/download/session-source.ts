import { sessionFiles } from '@sallyport/contract/session-files'
import { type PreparedRequest, prepareRequest } from '../request.ts'

/** Writes the request for the sealed bytes of a file of a session. */
export function sessionRequest(id: string, participantToken: string, baseUrl: string): PreparedRequest {
  const sent = { params: { fileId: id }, headers: { 'x-participant-token': participantToken }, query: {} }
  return prepareRequest(sessionFiles.download, sent, baseUrl)
}
