import { createSubject, type Observable } from '@sallyport/client/observable'
import type { UnverifiedPeer } from '@sallyport/client/portal/meeting/unverified'
import type { Portal, PortalState } from '@sallyport/client/portal/portal'
import { createContext, useSyncExternalStore } from 'react'
import { useRequired } from '#/ui/use-required.ts'
import type { ShownTransfer } from './shown-transfers.ts'
import type { UnfinishedPortals } from './unfinished.ts'

/** A portal, and what the page needs next to it. */
export interface PortalWork {
  readonly portal: Portal
  /** What the other device calls this one. */
  readonly deviceName: string
  readonly question: Observable<UnverifiedQuestion | null>
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

export function useUnverifiedQuestion(): UnverifiedQuestion | null {
  const { question } = useRequired(PortalContext)
  return useSyncExternalStore(question.subscribe, question.current)
}

export function useShownTransfers(): readonly ShownTransfer[] {
  const { transfers } = useRequired(PortalContext)
  return useSyncExternalStore(transfers.subscribe, transfers.current)
}

/** Whether to connect to a device that cannot be verified. */
export interface UnverifiedQuestion extends Pick<UnverifiedPeer, 'role' | 'name' | 'isCodeFromAddress'> {
  readonly answer: (isAllowed: boolean) => void
}

/** One question at a time; one whose device has left is answered with no. */
export function createQuestion() {
  const question = createSubject<UnverifiedQuestion | null>(null)
  return {
    question,
    ask: ({ signal, ...peer }: UnverifiedPeer) =>
      new Promise<boolean>((resolve) => {
        const answer = (isAllowed: boolean) => {
          question.set(null)
          signal.removeEventListener('abort', decline)
          resolve(isAllowed)
        }
        const decline = () => answer(false)
        signal.addEventListener('abort', decline, { once: true })
        if (signal.aborted) decline()
        else question.set({ ...peer, answer })
      }),
  }
}
