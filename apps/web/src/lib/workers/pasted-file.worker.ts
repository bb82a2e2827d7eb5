import { openStream, sealStream } from '@sallyport/crypto'
import { serveTasks } from './serve-tasks.ts'
import type { PastedFileTasks } from './tasks.ts'

serveTasks<PastedFileTasks>({
  async encrypt(keys, file) {
    const sealed = new Response(file.stream().pipeThrough(sealStream(keys)))
    return new Uint8Array(await sealed.arrayBuffer())
  },
  decrypt: (keys, sealed) => new Response(new Blob([sealed]).stream().pipeThrough(openStream(keys))).blob(),
})
