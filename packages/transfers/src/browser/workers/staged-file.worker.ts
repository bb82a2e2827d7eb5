import { serveTasks } from '@sallyport/browser/serve-tasks'
import { type OpenStagedFile, openStagedFile } from './storage/open-staged-file.ts'
import type { StagedFileTasks } from './tasks.ts'

let file: OpenStagedFile | undefined

serveTasks<StagedFileTasks>({
  async open(privateName, bytes, key) {
    file = await openStagedFile(privateName, bytes, key)
  },
  write: async (bytes, position) => requireFile().write(bytes, position),
  flush: async () => requireFile().flush(),
  read: async (position, length) => requireFile().read(position, length),
  finish: async (bytes) => requireFile().finish(bytes),
  release: async () => requireFile().close(),
  remove: async () => file?.remove(),
})

function requireFile(): OpenStagedFile {
  if (!file) throw new Error('The file is not open')
  return file
}
