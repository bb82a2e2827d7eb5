import { serveTasks } from '@sallyport/browser/serve-tasks'
import { openStream, sealStream } from '@sallyport/crypto'
import type { PastedFileTasks } from './tasks.ts'

serveTasks<PastedFileTasks>({
  async encrypt(keys, file) {
    const sealed = new Response(file.stream().pipeThrough(sealStream(keys)))
    return new Uint8Array(await sealed.arrayBuffer())
  },
  decrypt: (keys, sealed) => new Response(new Blob([sealed]).stream().pipeThrough(openStream(keys))).blob(),
})
