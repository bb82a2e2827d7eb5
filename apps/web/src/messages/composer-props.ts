import type { Composer } from './composer.ts'
import type { Troubles } from './troubles.ts'

/** What both faces of the box to write in are given. */
export interface ComposerProps {
  readonly composer: Composer
  readonly troubles: Troubles
  readonly placeholder: string
}
