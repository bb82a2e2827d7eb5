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

export const readStoredDevice = (userId: string): Promise<StoredDevice | undefined> =>
  withStore('readonly', (store) => store.get(userId) as IDBRequest<StoredDevice | undefined>)

export async function writeStoredDevice(device: StoredDevice): Promise<void> {
  await withStore('readwrite', (store) => store.put(device))
}

export async function deleteStoredDevice(userId: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(userId))
}

/** Deletes the remembered devices of all accounts in this browser. */
export const deleteStoredDevices = (): Promise<unknown> => promisify(indexedDB.deleteDatabase(databaseName))

/** Opens the database for a single request, so that no open connection blocks its deletion. */
async function withStore<Result>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(databaseName)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'userId' })
  const database = await promisify(opening)
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
