import { type AccessToken, type Call, createCaller } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import type { UploadQueue } from '@sallyport/client/upload-queue'
import type { Root } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import type { Accounts } from '#/accounts/accounts-context.ts'
import { createGate } from '#/accounts/entrance.ts'
import { createPolicyKeeper, type PolicyKeeper } from '#/accounts/policy-keeper.ts'
import { configQuery } from '#/api/account.queries.ts'
import { createAuth } from '#/api/auth.ts'
import { SpokenError } from '#/api/failure.ts'
import { createQueryClient } from '#/api/query-client.ts'
import { handOverChannel } from '#/keys/hand-over.ts'
import { createKeyRing, type KeyRing } from '#/keys/key-ring.ts'
import { deriveLoginSecretsApart, deriveMasterKeyApart } from '#/transfers/derive.ts'
import { createDownloads, type Downloads } from '#/transfers/downloads.ts'
import { createUploads } from '#/transfers/uploads.ts'
import { fileWords } from '#/words.ts'

/** What the pages of an account stand on; lives as long as the page is open. */
export interface Services {
  readonly api: { readonly call: Call }
  readonly queries: QueryClient
  readonly accounts: Accounts
  readonly policy: PolicyKeeper
  readonly keyRing: KeyRing
  readonly uploads: UploadQueue
  readonly downloads: Downloads
}

/** The one place where the parts of the page are handed to each other. */
export function createServices(): Services {
  const now = () => Date.now()
  const queries = createQueryClient()
  const anonymous = createCaller({ baseUrl: '', fetch: sendRequest, accessToken: async () => null })

  const auth = createAuth({
    storage: localStorage,
    now,
    async loadClient() {
      const [{ createAuthClient }, { auth: provider }] = await Promise.all([
        import('#/api/auth-client.ts'),
        queries.ensureQueryData(configQuery(anonymous)),
      ])
      return createAuthClient({ ...provider, url: new URL(provider.url, location.href).href })
    },
  })

  const accessToken: AccessToken = async (turnedDown) => {
    const token = await auth.accessToken(turnedDown)
    if (token === null) void gate.expire()
    return token
  }
  const connection = { baseUrl: '', fetch: sendRequest, accessToken }
  const call = endingSignIns(createCaller(connection), () => void gate.expire())

  const keyRing = createKeyRing({ storage: sessionStorage, channel: new BroadcastChannel(handOverChannel) })
  const policy = createPolicyKeeper({ storage: localStorage, now })
  const uploads = createUploads({
    connection,
    accountKey: () => requireAccountKey(auth.state.current().phase, keyRing),
  })
  const downloads = createDownloads(connection)

  const gate = createGate({
    auth,
    keyRing,
    policy,
    onLeave() {
      stopAll(uploads)
      stopAll(downloads)
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== configQuery(call).queryKey[0] })
    },
  })

  const enter = {
    call,
    auth,
    keyRing,
    policy,
    deriveSecrets: deriveLoginSecretsApart,
    deriveMasterKey: deriveMasterKeyApart,
    storage: localStorage,
  }
  return { api: { call }, queries, accounts: { gate, enter }, policy, keyRing, uploads, downloads }
}

/** What is under way for somebody who has left must not go on, nor be seen by whoever comes next. */
function stopAll(
  transfers: Pick<UploadQueue | Downloads, 'cancel' | 'dismiss'> & { current(): readonly { id: string }[] },
): void {
  for (const { id } of transfers.current()) {
    transfers.cancel(id)
    transfers.dismiss(id)
  }
}

const sendRequest: typeof fetch = (input, init) => fetch(input, init)

/** A refusal for want of a sign-in ends the one that is shown, wherever it was met. */
function endingSignIns(call: Call, end: () => void): Call {
  return async (endpoint, sent, options) => {
    try {
      return await call(endpoint, sent, options)
    } catch (error) {
      if (endpoint.access === 'account' && error instanceof ApiError && error.status === 401) end()
      throw error
    }
  }
}

async function requireAccountKey(phase: string, keyRing: KeyRing): Promise<Root> {
  if (phase !== 'signed-in') throw new SpokenError(fileWords.missingSignIn)
  const ring = keyRing.state.current()
  if (ring.phase !== 'open') throw new SpokenError(fileWords.missingKey)
  return ring.accountKey
}
