import type { ErrorNotices } from '../error-notices.ts'
import type { Composer } from './composer.ts'

/** The props of the desktop and the phone composer. */
export interface ComposerProps {
  readonly composer: Composer
  readonly errors: ErrorNotices
  readonly placeholder: string
}
