import { type OpenStagedFile, openResumableFile, openStagedFile } from './open-staged-file.ts'
import { serveTasks } from './serve-tasks.ts'
import type { KeepTasks } from './tasks.ts'

let file: OpenStagedFile | undefined

serveTasks<KeepTasks>({
  async open({ privateName, bytes, key }) {
    file = await (key ? openResumableFile({ privateName, bytes, key }) : openStagedFile(privateName, bytes))
    return undefined
  },
  async write({ bytes, position }) {
    await opened().write(bytes, position)
    return undefined
  },
  async flush() {
    await opened().flush()
    return undefined
  },
  async read({ position, length }) {
    return opened().read(position, length)
  },
  async finish({ bytes }) {
    await opened().finish(bytes)
    return undefined
  },
  async leave() {
    await opened().leave()
    return undefined
  },
  async remove() {
    await file?.remove()
    return undefined
  },
})

function opened(): OpenStagedFile {
  if (!file) throw new Error('The file was not opened')
  return file
}
