import { serverClock } from '@sallyport/browser/server-clock'
import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { createZipSinks } from '@sallyport/client/portal/transfer/zip-sink'
import { ignore } from '@sallyport/contract/ignore'
import { uniqueFileName } from '@sallyport/crypto'
import { createReceivedFileSink } from './received-file-sink.ts'

type SinkOf = (file: FileOffer) => PortalSink

/** A transfer of more files than this is saved as one archive, as if the files were in a folder. */
const maxLooseFiles = 10

/** Whether files come in folders, or are too many to be saved one by one. */
export const needsFolder = (files: readonly FileOffer[]): boolean =>
  files.length > maxLooseFiles || files.some(({ path }) => path !== undefined)

/** The name of the only top-level folder of a transfer; null where there are several or none. */
export function folderName(files: readonly FileOffer[]): string | null {
  const roots = new Set(files.map(({ path }) => path?.split('/')[0]))
  const [root] = roots
  return roots.size === 1 && root !== undefined ? root : null
}

/**
 * Creates sinks for files in folders: in a directory that the user chooses, where the browser supports it, otherwise in
 * one ZIP archive in the downloads. Must be called from a user gesture. Files may arrive before the user has chosen.
 */
export function createFolderSinks(files: readonly FileOffer[]): SinkOf {
  const zip = () => zipSinks(files)
  const picked = window.showDirectoryPicker?.({ mode: 'readwrite' }) ?? Promise.reject(new Error('no picker'))
  const sinks: Promise<SinkOf> = picked.then(folderSinks, zip)
  return (file) => deferredSink(sinks.then((sinkOf) => sinkOf(file)))
}

function zipSinks(files: readonly FileOffer[]): SinkOf {
  const name = `${folderName(files) ?? 'files'}.zip`
  const next = createZipSinks(files, serverClock.now(), (size) =>
    createReceivedFileSink({ name, size, mime: 'application/zip' }),
  )
  return next
}

function folderSinks(root: FileSystemDirectoryHandle): SinkOf {
  const topLevelNames = new Map<string, Promise<string>>()
  /** Existing entries are never overwritten. */
  const topLevelNameOf = (name: string): Promise<string> => {
    const existing = topLevelNames.get(name) ?? freeName(root, name)
    topLevelNames.set(name, existing)
    return existing
  }
  return ({ name, path }) => {
    const parts = [...(path?.split('/') ?? []), name]
    return deferredSink(
      topLevelNameOf(parts[0] ?? name).then(async (top) => {
        let folder = root
        const [leaf = name, ...folders] = [top, ...parts.slice(1)].reverse()
        for (const part of folders.reverse()) folder = await folder.getDirectoryHandle(part, { create: true })
        return fileSink(folder, leaf)
      }),
    )
  }
}

async function freeName(root: FileSystemDirectoryHandle, name: string): Promise<string> {
  const usedNames = new Set<string>()
  for await (const key of root.keys()) usedNames.add(key.normalize('NFC').toLowerCase())
  return uniqueFileName(name, usedNames)
}

async function fileSink(folder: FileSystemDirectoryHandle, name: string): Promise<PortalSink> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  return {
    write: (data, position) => stream.write({ type: 'write', position, data }),
    finish: () => stream.close(),
    async discard() {
      await stream.abort()
      await folder.removeEntry(name)
    },
  }
}

/** A sink that is still being opened. */
function deferredSink(opening: Promise<PortalSink>): PortalSink {
  opening.catch((error) => ignore(error, 'every write rejects with it'))
  return {
    write: async (bytes, position) => (await opening).write(bytes, position),
    finish: async () => (await opening).finish(),
    discard: async () => (await opening).discard(),
  }
}
