import { openStream, sealStream } from '@sallyport/crypto'
import type { HeldTasks } from './held.tasks.ts'
import { serveTasks } from './serve-tasks.ts'

serveTasks<HeldTasks>({
  async seal({ keys, file }) {
    const sealed = new Response(file.stream().pipeThrough(sealStream(keys)))
    return new Uint8Array(await sealed.arrayBuffer())
  },
  open: ({ keys, sealed }) => new Response(new Blob([sealed]).stream().pipeThrough(openStream(keys))).blob(),
})
