import { openPrivateHandle, type PrivateHandle } from './private-handle.ts'
import { serveTasks } from './serve-tasks.ts'
import type { KeepTasks } from './tasks.ts'

let handle: PrivateHandle | undefined

serveTasks<KeepTasks>({
  async open({ privateName, bytes }) {
    handle = await openPrivateHandle(privateName, bytes)
    return undefined
  },
  async write({ bytes, position }) {
    opened().write(bytes, position)
    return undefined
  },
  async flush() {
    opened().flush()
    return undefined
  },
  async read({ position, length }) {
    return opened().read(position, length)
  },
  async close() {
    opened().close()
    return undefined
  },
  async remove() {
    await handle?.remove()
    return undefined
  },
})

function opened(): PrivateHandle {
  if (!handle) throw new Error('The file was not opened')
  return handle
}
