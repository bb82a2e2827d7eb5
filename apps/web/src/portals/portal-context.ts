import { createSubject, type Observable } from '@sallyport/client/observable'
import type { Portal, PortalState } from '@sallyport/client/portal/portal'
import { createContext, useSyncExternalStore } from 'react'
import { useRequired } from '#/ui/use-required.ts'
import type { ShownTransfer } from './shown-transfers.ts'
import type { UnfinishedPortals } from './unfinished.ts'

/** A portal, and the question whether to go on with a device that cannot be verified. */
export interface PortalWork {
  readonly portal: Portal
  /** What the other device calls this one. */
  readonly deviceName: string
  readonly question: Observable<((isYes: boolean) => void) | null>
  readonly transfers: Observable<readonly ShownTransfer[]>
  /** What earlier pages left in the middle. */
  readonly unfinished: UnfinishedPortals
  /** Answers yes to the offer that waits. Has to be called in the midst of a press, as a folder may have to be chosen. */
  readonly accept: () => void
}

const PortalContext = createContext<PortalWork | null>(null)

export const PortalProvider = PortalContext.Provider
export const usePortalWork = (): PortalWork => useRequired(PortalContext)
export const usePortal = (): Portal => useRequired(PortalContext).portal

export function usePortalState(): PortalState {
  const { state } = usePortal()
  return useSyncExternalStore(state.subscribe, state.current)
}

export function useBasicQuestion(): ((isYes: boolean) => void) | null {
  const { question } = useRequired(PortalContext)
  return useSyncExternalStore(question.subscribe, question.current)
}

export function useShownTransfers(): readonly ShownTransfer[] {
  const { transfers } = useRequired(PortalContext)
  return useSyncExternalStore(transfers.subscribe, transfers.current)
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
