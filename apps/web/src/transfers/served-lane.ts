import type { OpenLane } from '@sallyport/client/download/open-lane'
import type { FileKeys } from '@sallyport/crypto'
import { servedAddress } from '#/service-worker/addresses.ts'
import type { Handles } from '#/service-worker/served.tasks.ts'
import { connectDecryptWorker } from './decrypt-worker.ts'

/** The browser has saved the file by itself. */
export interface ServedFile {
  readonly isServed: true
}

interface Served {
  readonly keys: FileKeys
  /** The path of the file's bytes on the server. */
  readonly path: string
  readonly name: string
}

const askedWithinMs = 15_000

/** A lane that ends in the person's downloads at once: the service worker opens what the browser saves. */
export async function openServedLane({ keys, path, name }: Served): Promise<OpenLane<ServedFile>> {
  const { tasks } = await connectDecryptWorker('/api/')
  const handles = newHandles()
  const frame = document.createElement('iframe')
  const end = () => {
    tasks.end()
    frame.remove()
  }
  try {
    const asked = tasks.run('offer', { handles, keys, name }, { signal: AbortSignal.timeout(askedWithinMs) })
    frame.hidden = true
    frame.src = servedAddress(path, handles)
    document.body.append(frame)
    await asked
  } catch (error) {
    end()
    throw error
  }
  return {
    place: 'disk',
    isSeekable: false,
    receive: (task, onOpened, signal) => tasks.run('receive', task, { onProgress: onOpened, signal }),
    close: () =>
      tasks
        .run('close', null)
        .then((): ServedFile => ({ isServed: true }))
        .finally(end),
    abort: () => tasks.run('abort', null).finally(end),
  }
}

/** Random text that only means something to the service worker. */
export function newHandles(): Handles {
  const draw = () => `h.${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  return { key: draw(), auth: draw() }
}
