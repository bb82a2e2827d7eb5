import { createSubject, type Observable } from '@sallyport/client/observable'
import type { UnverifiedPeer } from '@sallyport/client/portal/pairing/pairing'
import type { Portal, PortalState } from '@sallyport/client/portal/portal-state'
import { createContext } from 'react'
import { useObservable } from '#/lib/use-observable.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import type { InterruptedTransfers } from './transfer/interrupted-transfers.ts'
import type { PortalJob, PortalJobs } from './transfer/portal-jobs.ts'
import type { QueuedFiles } from './transfer/queued-files.ts'

/** A portal and the state that the page adds to it. */
export interface PortalContextValue {
  readonly portal: Portal
  /** The name that the other device shows for this one. */
  readonly deviceName: string
  readonly unverifiedPrompt: Observable<UnverifiedPrompt | null>
  readonly transfers: PortalJobs
  readonly queuedFiles: QueuedFiles
  /** Interrupted transfers and portals of earlier pages. */
  readonly interrupted: InterruptedTransfers
  /** Accepts the pending offer. Must be called from a user gesture, because the user may have to choose a folder. */
  readonly accept: () => void
}

const PortalContext = createContext<PortalContextValue | null>(null)

export const PortalProvider = PortalContext.Provider
export const usePortalContext = (): PortalContextValue => useRequiredContext(PortalContext)
export const usePortal = (): Portal => useRequiredContext(PortalContext).portal

export const usePortalState = (): PortalState => useObservable(usePortal().state)
export const usePortalJobs = (): readonly PortalJob[] =>
  useObservable<readonly PortalJob[]>(usePortalContext().transfers)

/** Asks whether to connect to a device that cannot be verified. */
export interface UnverifiedPrompt extends Pick<UnverifiedPeer, 'role' | 'name' | 'isCodeFromAddress'> {
  readonly answer: (isAllowed: boolean) => void
}

/** Creates prompts, one at a time. A prompt whose device disconnects is answered with no. */
export function createUnverifiedPrompt() {
  const prompt = createSubject<UnverifiedPrompt | null>(null)
  return {
    prompt,
    ask: ({ signal, ...peer }: UnverifiedPeer) =>
      new Promise<boolean>((resolve) => {
        const answer = (isAllowed: boolean) => {
          prompt.set(null)
          signal.removeEventListener('abort', decline)
          resolve(isAllowed)
        }
        const decline = () => answer(false)
        signal.addEventListener('abort', decline, { once: true })
        if (signal.aborted) decline()
        else prompt.set({ ...peer, answer })
      }),
  }
}
