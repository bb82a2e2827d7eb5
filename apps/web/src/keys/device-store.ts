/** What this browser keeps of a remembered device: useless without the server's share. */
export interface KeptDevice {
  readonly userId: string
  readonly deviceId: string
  /** A handle that gives no bytes back. */
  readonly deviceKey: CryptoKey
  readonly blob: Uint8Array<ArrayBuffer>
}

const databaseName = 'sallyport-device'
const storeName = 'devices'

export const readDevice = (userId: string): Promise<KeptDevice | undefined> =>
  within('readonly', (store) => store.get(userId) as IDBRequest<KeptDevice | undefined>)

export async function writeDevice(device: KeptDevice): Promise<void> {
  await within('readwrite', (store) => store.put(device))
}

/** Removes all that any account has left here. */
export const forgetDevices = (): Promise<unknown> => settled(indexedDB.deleteDatabase(databaseName))

/** Opens the store for a single step, so that nothing keeps it from being removed. */
async function within<Result>(
  mode: IDBTransactionMode,
  step: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(databaseName)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'userId' })
  const database = await settled(opening)
  try {
    return await settled(step(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
