interface UncoveredCalls {
  readonly reason: string
  /** By method and path, as in the contract. */
  readonly calls: readonly string[]
}

/** Calls that no flow covers, and why a false answer to them endangers no secret. */
export const uncoveredCalls: readonly UncoveredCalls[] = [
  {
    reason:
      'The client does not call it; it is for other clients, for operators or for the administration of the provider.',
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
    reason:
      'It shows sizes, counts and times of accounts to an admin, or changes licences and who may sign in. No secret of an account is read, derived or sealed with it.',
    calls: [
      'GET /api/admin/status',
      'POST /api/admin/magic-link',
      'GET /api/admin/offers',
      'DELETE /api/admin/offers/:id',
      'POST /api/admin/cleanup',
      'POST /api/admin/confirm-clock',
      'GET /api/admin/stats',
      'GET /api/admin/users',
      'DELETE /api/admin/users/:id',
      'GET /api/admin/volumes',
      'POST /api/admin/users/:id/ban',
      'POST /api/admin/users/:id/cancel-subscription',
      'POST /api/admin/users/:id/demote',
      'GET /api/admin/users/:id/detailed',
      'POST /api/admin/users/:id/extend-subscription',
      'PUT /api/admin/users/:id/license',
      'POST /api/admin/users/:id/promote',
      'POST /api/admin/users/:id/sign-out',
      'GET /api/admin/users/:id/subscription',
      'POST /api/admin/users/:id/unban',
    ],
  },
  {
    reason: 'The list of the specification; Sallyport clients read pages of the same messages, which are covered.',
    calls: ['GET /api/messages'],
  },
  {
    reason: 'Its answer is displayed or is a confirmation; nothing is derived, sealed or opened with it.',
    calls: [
      'GET /api/user-info',
      'GET /api/settings',
      'GET /api/subscription/info',
      'POST /api/subscription/cancel',
      'POST /api/settings',
      'DELETE /api/account',
      'GET /api/account/sign-ins',
      'GET /api/account/sign-in-history',
      'GET /api/account/activity',
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
      'POST /api/emailed-link-status',
      'POST /api/claim-license',
      'HEAD /api/upload',
      'HEAD /api/status',
      'GET /api/portals/settings',
      'POST /auth/v1/resend',
      'POST /auth/v1/recover',
      'POST /auth/v1/logout',
    ],
  },
  {
    reason:
      'It leads to a page to pay on and back. The page follows only paths of its own origin that it knows, and no plan gives access to secrets.',
    calls: [
      'POST /api/stripe/create-checkout',
      'POST /api/stripe/create-business-checkout',
      'GET /api/billing/test-checkouts/:id',
      'POST /api/billing/test-checkouts/:id/pay',
      'POST /api/billing/test-checkouts/:id/decline',
    ],
  },
  {
    reason:
      'It shows and changes who belongs to a team and how many seats it has. Names and roles are only displayed, and no seat gives access to secrets.',
    calls: [
      'GET /api/organization/dashboard',
      'GET /api/organization/membership',
      'POST /api/organization/invite',
      'POST /api/organization/resend-invitation',
      'DELETE /api/organization/clear-invitations',
      'DELETE /api/organization/invitation/:id',
      'POST /api/organization/seats/preview',
      'POST /api/organization/add-seats',
      'DELETE /api/organization/member/:userId',
      'PUT /api/organization/member/:userId/role',
      'POST /api/organization/leave',
      'GET /api/organization/validate-invite/:token',
      'POST /api/organization/join',
      'POST /api/organization/auto-join',
      'POST /api/organization/accept-invite',
    ],
  },
  {
    reason: 'It returns a session in the same form as the covered calls; the key mode is not read from it.',
    calls: ['PUT /api/sessions/:id/settings'],
  },
  {
    reason:
      'It stores, lists or deletes sealed chunks of an account. The same engine is covered by the files of a session, and chunks of an account by the upload socket.',
    calls: [
      'POST /api/upload-chunk',
      'GET /api/uploads/:uploadId',
      'DELETE /api/uploads/:uploadId',
      'DELETE /api/sessions/:id/uploads/:uploadId',
    ],
  },
  {
    reason: 'It creates an account like registration, which is covered, with a credential derived by the same code.',
    calls: ['POST /api/register-with-magic-link'],
  },
  {
    reason:
      'Its secrets are those of the server: second factors and tokens protect access to the server, not sealed contents.',
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
      'It returns wrapped account keys, which are unwrapped by the same function and password as those of the covered call for the current keys.',
    calls: ['GET /api/account/keys/previous'],
  },
  {
    reason:
      'It names the authentication provider, which receives derived credentials and tokens; a lying server has both anyway. The content security policy allows no other origin. Plans and the registration mode change only what the page offers.',
    calls: ['GET /api/config'],
  },
]
