/** What this browser stores of a remembered device. It is useless without the server's share. */
export interface StoredDevice {
  readonly userId: string
  readonly deviceId: string
  /** Not extractable. */
  readonly deviceKey: CryptoKey
  readonly blob: Uint8Array<ArrayBuffer>
}

const databaseName = 'sallyport-device'
const storeName = 'devices'

export const readStoredDevice = async (userId: string): Promise<StoredDevice | undefined> =>
  runRequest(await openExisting(), 'readonly', (store) => store.get(userId) as IDBRequest<StoredDevice | undefined>)

export async function writeStoredDevice(device: StoredDevice): Promise<void> {
  const opening = indexedDB.open(databaseName)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'userId' })
  await runRequest(await promisify(opening), 'readwrite', (store) => store.put(device))
}

export async function deleteStoredDevice(userId: string): Promise<void> {
  await runRequest(await openExisting(), 'readwrite', (store) => store.delete(userId))
}

/** Deletes the remembered devices of all accounts in this browser. */
export const deleteStoredDevices = (): Promise<unknown> => promisify(indexedDB.deleteDatabase(databaseName))

/** Null where no database exists: it may have been deleted by a sign-out, and must not be created again. */
async function openExisting(): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(databaseName)
  let isMissing = false
  opening.onupgradeneeded = () => {
    isMissing = true
    opening.transaction?.abort()
  }
  try {
    return await promisify(opening)
  } catch (error) {
    if (isMissing) return null
    throw error
  }
}

/** Runs a single request and closes the database, so that no open connection blocks its deletion. */
async function runRequest<Result>(
  database: IDBDatabase | null,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  if (!database) return undefined
  try {
    return await promisify(request(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

const promisify = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
