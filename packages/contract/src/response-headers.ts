import { shareHeaders } from './sharing.ts'

/** The meaning of each header, by its name. */
type ResponseHeaders = Readonly<Record<string, string>>

const sealedFile: ResponseHeaders = {
  'Accept-Ranges': '`bytes`',
  'Content-Disposition': '`attachment`, with the encrypted name of the file as its `filename`',
  'Content-Length': 'Encrypted bytes of the body',
  'X-Chunk-Size': 'Plain bytes of a record; the last record may be shorter',
}

const share: ResponseHeaders = {
  ...sealedFile,
  [shareHeaders.wrappedKey]: 'The key of the file, wrapped with the key of the link',
  [shareHeaders.expiresAt]: 'When the file expires, in epoch milliseconds',
}

/** Headers of the responses that carry encrypted files, by the method and path of the call. For documentation only. */
export const responseHeaders: Readonly<Record<string, ResponseHeaders>> = {
  'GET /api/download/:id': sealedFile,
  'GET /api/share/:token': share,
  'HEAD /api/share/:token': share,
  'GET /api/sessions/files/:fileId/download': {
    ...sealedFile,
    'X-Encryption-Key': 'The key of the file, wrapped with a key of the session',
  },
}

/** Only on responses with a part of a file, which have status 206. */
export const rangeHeaders: ResponseHeaders = {
  'Content-Range': 'The first and last byte of the body, and the length of the whole: `bytes 0-99/1234`',
}
