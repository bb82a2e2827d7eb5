const portal = ['POST /api/portals/tickets'] as const

/**
 * What each flow asks of a server, or hears from it, while that is honest: calls by method and path, `signal` for what
 * devices of a portal hear, `live` for what the live channel tells. The tests of the flows hold this list to the truth.
 */
export const coveredCalls = {
  'upload, download, share': [
    'POST /api/upload',
    'GET /api/files',
    'GET /api/download/:id',
    'GET /api/file/:id/key',
    'POST /api/file/:id/share-zk',
    'POST /api/file/:id/share',
    'HEAD /api/share/:token',
    'GET /api/share/:token',
  ],
  'files of a session': [
    'POST /api/sessions/:id/upload-chunk',
    'POST /api/sessions/:id/complete-upload',
    'GET /api/sessions/:id/files',
    'GET /api/sessions/files/:fileId/download',
  ],
  'sign-up, sign-in, password change': [
    'POST /api/auth/prelogin',
    'POST /api/register',
    'POST /api/login',
    'GET /api/account/keys',
    'PUT /api/account/keys',
    'POST /api/account/keys/staged',
    'POST /api/account/keys/commit',
    'POST /api/device-unlock',
    'GET /api/device-unlock',
    'GET /auth/v1/user',
    'PUT /auth/v1/user',
  ],
  'forgotten password, with and without a recovery key': [
    'POST /api/auth/prelogin',
    'POST /api/register',
    'POST /api/login',
    'GET /api/account/keys',
    'PUT /api/account/keys',
    'POST /api/account/keys/staged',
    'POST /api/account/keys/commit',
    'PUT /api/account/recovery-key',
    'POST /auth/v1/verify',
    'GET /auth/v1/user',
    'PUT /auth/v1/user',
  ],
  chat: ['POST /api/messages', 'GET /api/messages'],
  'session for holders of a link': [
    'POST /api/sessions',
    'POST /api/sessions/join',
    'GET /api/sessions/:id',
    'POST /api/sessions/:id/heartbeat',
    'PUT /api/sessions/:id/participant',
    'POST /api/sessions/:id/messages',
    'GET /api/sessions/:id/messages',
    'POST /api/sessions/:id/tickets',
    'POST /api/sessions/:id/leave',
    'GET /api/sessions/:id/admit',
    'live ready',
  ],
  'session by a PIN': [
    'POST /api/sessions',
    'POST /api/sessions/join',
    'GET /api/sessions/:id',
    'POST /api/sessions/:id/heartbeat',
    'PUT /api/sessions/:id/participant',
    'POST /api/sessions/:id/messages',
    'GET /api/sessions/:id/messages',
    'POST /api/sessions/:id/tickets',
    'POST /api/sessions/:id/leave',
    'live ready',
  ],
  'admission to a private session by a code': [
    'POST /api/sessions',
    'POST /api/sessions/join',
    'POST /api/sessions/:id/admit',
    'GET /api/sessions/:id/admit',
  ],
  'portal, opened at a server that joins it': [...portal, 'signal room-created'],
  'portal, its link opened at a server that joins it': [...portal, 'signal room-created'],
  'portal, joined at a server that plays its creator': [
    ...portal,
    'signal px-located',
    'signal room-joined',
    'signal px-pake',
  ],
  'portal between two devices, over the relay': [
    ...portal,
    'signal room-created',
    'signal px-located',
    'signal room-joined',
    'signal peer-joined',
    'signal px-pake',
    'signal px-confirm',
    'signal px-ice',
    'signal px-relay-ready',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Messages that a flow draws from the contract as lies: every kind of them comes at any moment. */
export const drawnMessages = ['signal', 'live'] as const
