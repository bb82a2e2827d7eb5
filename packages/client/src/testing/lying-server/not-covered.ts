interface NotCovered {
  readonly reason: string
  /** By method and path, as in the contract. */
  readonly calls: readonly string[]
}

/** What no flow covers, and why a lie in its answer decides no secret. */
export const notCovered: readonly NotCovered[] = [
  {
    reason:
      'The client does not call it; it is for other clients, for operators, or for the provider’s own administration.',
    calls: [
      'GET /api/uploads',
      'GET /api/sessions/files/:fileId',
      'POST /api/portals/join',
      'GET /api/openapi.json',
      'GET /healthz',
      'GET /readyz',
      'GET /metrics',
      'POST /auth/v1/signup',
      'POST /auth/v1/otp',
      'GET /auth/v1/reauthenticate',
      'GET /auth/v1/.well-known/jwks.json',
      'GET /auth/v1/health',
      'GET /auth/v1/settings',
      'POST /auth/v1/sso',
      'GET /auth/v1/authorize',
      'GET /auth/v1/user/identities/authorize',
      'DELETE /auth/v1/user/identities/:id',
      'POST /auth/v1/admin/users',
      'GET /auth/v1/admin/users',
      'GET /auth/v1/admin/users/:id',
      'PUT /auth/v1/admin/users/:id',
      'DELETE /auth/v1/admin/users/:id',
      'GET /auth/v1/admin/users/:id/factors',
      'DELETE /auth/v1/admin/users/:id/factors/:factorId',
      'POST /auth/v1/invite',
      'POST /auth/v1/admin/generate_link',
    ],
  },
  {
    reason: 'The list of the bare specification; our clients read pages of the same messages, which are covered.',
    calls: ['GET /api/messages'],
  },
  {
    reason: 'Its answer is shown, or says that something was done; nothing is derived, sealed or opened with it.',
    calls: [
      'GET /api/user-info',
      'GET /api/settings',
      'POST /api/settings',
      'GET /api/account/sign-ins',
      'DELETE /api/account/sign-ins/:id',
      'DELETE /api/account/sign-ins',
      'DELETE /api/account/recovery-key',
      'POST /api/account/keys/restore',
      'DELETE /api/device-unlock',
      'PATCH /api/file/:id',
      'DELETE /api/file/:id',
      'DELETE /api/files',
      'DELETE /api/lost-files',
      'DELETE /api/file/:id/share',
      'DELETE /api/messages/:id',
      'DELETE /api/messages',
      'DELETE /api/sessions/files/:fileId',
      'DELETE /api/sessions/:id/participants/:participantId',
      'POST /api/sessions/:id/knocks/:knockId',
      'GET /api/validate-magic-link/:token',
      'HEAD /api/upload',
      'HEAD /api/status',
      'GET /api/portals/settings',
      'POST /auth/v1/resend',
      'POST /auth/v1/recover',
      'POST /auth/v1/logout',
    ],
  },
  {
    reason: 'It answers a session in the form that the covered calls answer it; the key mode is not read from it.',
    calls: ['PUT /api/sessions/:id/settings'],
  },
  {
    reason:
      'It takes sealed chunks of an account, says which have arrived, or forgets them. The same engine is covered with the files of a session, and chunks of an account with the upload socket.',
    calls: [
      'POST /api/upload-chunk',
      'GET /api/uploads/:uploadId',
      'DELETE /api/uploads/:uploadId',
      'DELETE /api/sessions/:id/uploads/:uploadId',
    ],
  },
  {
    reason: 'It makes an account as registration does, which is covered, with a credential made by the same code.',
    calls: ['POST /api/register-with-magic-link'],
  },
  {
    reason:
      'Its secrets are the server’s own: second factors and tokens limit access to the server, not what opens sealed contents.',
    calls: [
      'GET /api/account/backup-codes',
      'POST /api/account/backup-codes',
      'POST /api/auth/backup-code',
      'POST /auth/v1/token',
      'POST /auth/v1/factors',
      'POST /auth/v1/factors/:id/challenge',
      'POST /auth/v1/factors/:id/verify',
      'DELETE /auth/v1/factors/:id',
    ],
  },
  {
    reason:
      'It answers wrapped account keys, which open by the same function and the same password as those of the covered call for the keys in use.',
    calls: ['GET /api/account/keys/previous'],
  },
  {
    reason:
      'It names the authentication provider, which receives derived credentials and tokens; a lying server has both anyway. The content policy allows no other origin.',
    calls: ['GET /api/config'],
  },
]
