import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Portal, PortalState } from '@sallyport/client/portal/portal'
import { createContext, useSyncExternalStore } from 'react'
import { useRequired } from '#/ui/use-required.ts'

/** A portal, and the question whether to go on with a device that cannot be verified. */
export interface PortalWork {
  readonly portal: Portal
  readonly question: Observable<((isYes: boolean) => void) | null>
}

const PortalContext = createContext<PortalWork | null>(null)

export const PortalProvider = PortalContext.Provider
export const usePortal = (): Portal => useRequired(PortalContext).portal

export function usePortalState(): PortalState {
  const { state } = usePortal()
  return useSyncExternalStore(state.subscribe, state.current)
}

export function useBasicQuestion(): ((isYes: boolean) => void) | null {
  const { question } = useRequired(PortalContext)
  return useSyncExternalStore(question.subscribe, question.current)
}

/** A question that is asked and answered once at a time. */
export function createQuestion() {
  const question = createSubject<((isYes: boolean) => void) | null>(null)
  return {
    question,
    ask: () =>
      new Promise<boolean>((resolve) => {
        question.set((isYes) => {
          question.set(null)
          resolve(isYes)
        })
      }),
  }
}
