import { authPrefix } from '@sallyport/contract/auth'
import { createAccountsStore } from '../accounts/accounts.store.ts'
import { createAccountReaders } from '../accounts/readers.ts'
import { createSaltsStore } from '../accounts/salts.store.ts'
import { createSalts } from '../accounts/salts.ts'
import { type AuthStores, createAuthStores } from '../auth/auth.store.ts'
import { createEmbeddedProvider } from '../auth/embedded-provider.ts'
import { readHostedPlace } from '../auth/hosted/hosted-place.ts'
import { createHostedProvider } from '../auth/hosted/hosted-provider.ts'
import { createMirrorStore } from '../auth/hosted/mirror.store.ts'
import type { AuthProvider } from '../auth/provider.ts'
import { openProviderSecret } from '../auth/provider-secret.ts'
import { productSettings } from '../auth/provider-settings.ts'
import { openSigningKeys } from '../auth/tokens/signing-keys.ts'
import { furnishAccount } from '../licences/furnish.store.ts'
import { createLicenceOffersStore } from '../licences/licence-offers.store.ts'
import { createLicenceOffers } from '../licences/licence-offers.ts'
import { createLicencesStore } from '../licences/licences.store.ts'
import { createLicences } from '../licences/licences.ts'
import { openPost } from '../post/open-post.ts'
import { createPostQueueStore } from '../post/post-queue.store.ts'
import { withBytesOfPerson } from '../uploads/bytes-of-person.ts'
import { createUploadsStore } from '../uploads/uploads.store.ts'
import type { Foundations } from './foundations.ts'

export type People = Awaited<ReturnType<typeof openPeople>>

/** Who people are, what they hold and how they are written to; by the provider inside or the one that was named. */
export async function openPeople(foundations: Foundations) {
  const { config, db, now, bus, attempts, secrets, publicUrl, volumes, strict, log } = foundations
  const post = openPost({
    store: createPostQueueStore(db),
    secretsFolder: secrets.folder,
    dataFolder: foundations.folder,
    publicUrl,
    smtpUrl: config.SMTP_URL,
    smsUrl: config.SMS_URL,
    mailFrom: config.MAIL_FROM,
    now,
    log,
  })
  const uploadsStore = createUploadsStore(db)
  const plainStores = createAuthStores(db, furnishAccount)
  const remove = withBytesOfPerson(plainStores.users.remove, { store: uploadsStore, volumes })
  const stores: AuthStores = { ...plainStores, users: { ...plainStores.users, remove } }
  const salts = createSalts({ salts: createSaltsStore(db), secret: secrets.salt, now })
  const hosted = readHostedPlace(config)
  const embedded = createEmbeddedProvider({
    stores,
    keys: await openSigningKeys(secrets.folder),
    secret: openProviderSecret(secrets.folder),
    issuer: new URL(authPrefix, publicUrl).href,
    publicUrl,
    post: post.office,
    attempts,
    bus,
    now,
    onRename: salts.follow,
    hashing: foundations.hashing,
    log,
    settings: {
      ...productSettings,
      strict,
      confirmAddresses: foundations.confirmAddresses,
      confirmNumbers: config.SMS_URL !== undefined,
      registrationsPerHour: config.REGISTRATIONS_PER_HOUR,
    },
  })
  const provider: AuthProvider = hosted
    ? createHostedProvider({
        ...hosted,
        mirror: createMirrorStore(db, furnishAccount),
        listSignIns: embedded.listSignIns,
        signIns: stores.signIns,
        attempts,
        bus,
        now,
        strict,
      })
    : embedded

  const accounts = createAccountsStore(db)
  const licences = createLicences({ store: createLicencesStore(db), bus, now })

  return {
    accounts,
    licences,
    readers: createAccountReaders(accounts, licences),
    offers: createLicenceOffers({ store: createLicenceOffersStore(db), now }),
    post,
    stores,
    uploadsStore,
    salts,
    /** Null where the provider is the one inside. */
    hosted,
    embedded,
    provider,
  }
}
