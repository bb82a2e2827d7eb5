import { ignore } from '@sallyport/contract/ignore'
import { askServer } from './server-clock.ts'

const firstPauseMs = 500
const maxPauseMs = 8000
/** So often a server that answers may fail to send the code, for example because it has another build. */
const maxFailures = 4

/** The server answers, but the code of a part of the page cannot be loaded. */
export class CodeMissingError extends Error {
  override readonly name = 'CodeMissingError'
}

/**
 * Imports a part of the page's code. While the server is away it is waited for; rejects with a `CodeMissingError` if the
 * server answers, but sends no such code.
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  let failures = 0
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await load()
    } catch (error) {
      // Code that has arrived and does not run; browsers report code that has not as a `TypeError`.
      if (!(error instanceof TypeError)) throw error
      if (await askServer()) failures += 1
      if (failures === maxFailures) throw new CodeMissingError('Code is missing', { cause: error })
      ignore(error, 'the code is requested again')
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)))
  }
}
