import { sessionFiles } from '@sallyport/contract/session-files'
import { type PreparedRequest, prepareRequest } from '../request.ts'

/** Builds the request for the sealed bytes of a session file. */
export function prepareSessionRequest(id: string, participantToken: string, baseUrl: string): PreparedRequest {
  const input = { params: { fileId: id }, headers: { 'x-participant-token': participantToken }, query: {} }
  return prepareRequest(sessionFiles.download, input, baseUrl)
}
