import { useRef } from 'react'
import { useObservable } from '#/lib/use-observable.ts'
import type { ErrorNotices } from '../error-notices.ts'
import { type Composer, canSend } from './composer.ts'

/** The props of the desktop and the phone composer. */
export interface ComposerProps {
  readonly composer: Composer
  readonly errors: ErrorNotices
  readonly placeholder: string
}

/** State shared by both composers: the draft, and a send button that keeps the focus in the text field. */
export function useComposer(composer: Composer) {
  const state = useObservable(composer)
  const input = useRef<HTMLTextAreaElement>(null)
  return {
    canSend: canSend(state),
    send() {
      input.current?.focus()
      void composer.send()
    },
    input: { ref: input, value: state.draft, onChange: composer.setDraft },
  }
}
