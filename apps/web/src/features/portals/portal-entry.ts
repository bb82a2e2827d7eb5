import { createSubject } from '@sallyport/client/observable'
import { createContext } from 'react'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import type { PortalContextValue } from './portal-context.ts'

/** What the portal page does when it opens, as requested by a link or by the front page. */
export type PortalIntent =
  | { readonly kind: 'create' }
  /** Creates a portal and sends these files once another device is connected. */
  | { readonly kind: 'send'; readonly files: readonly File[] }
  | { readonly kind: 'send-folders'; readonly entries: readonly FileSystemEntry[] }
  /** Opens the scanner of QR codes. */
  | { readonly kind: 'scan' }
  | { readonly kind: 'join'; readonly pin: string }
  /** The complete address of a link. */
  | { readonly kind: 'follow'; readonly link: string }

/** Why the portal of a visitor has ended. */
export interface PortalEnding {
  readonly text: string
  readonly isFailure: boolean
}

/** The portal of this page, and what the page knows before it opens and after it has ended. */
export function createPortalEntry(joinLink: string | null) {
  /** Null until the portal is first used. Every screen that shows portal state observes it. */
  const current = createSubject<PortalContextValue | null>(null)
  /** Why a visitor's portal has ended, for the page they return to; null once it is dismissed. */
  const ending = createSubject<PortalEnding | null>(null)
  let instance: PortalContextValue | null = null
  let pendingIntent: PortalIntent | null = joinLink === null ? null : { kind: 'follow', link: joinLink }

  return {
    current,
    ending,
    dismissEnding: (): void => ending.set(null),
    /** Returns the portal and creates it on first use. It stays open while other screens are shown. */
    getOrCreate(create: () => PortalContextValue): PortalContextValue {
      if (instance) return instance
      const created = create()
      instance = created
      // Deferred because subscribers must not update while the calling component renders.
      queueMicrotask(() => current.set(created))
      return created
    },
    /** Closes the portal, if one is open, and cancels its transfers. */
    close: (): void => instance?.portal.close(),
    setIntent(intent: PortalIntent): void {
      pendingIntent = intent
    },
    /** Returns the pending intent and clears it. */
    consumeIntent(): PortalIntent | null {
      const intent = pendingIntent
      pendingIntent = null
      return intent
    },
  }
}

export type PortalEntry = ReturnType<typeof createPortalEntry>

const PortalEntryContext = createContext<PortalEntry | null>(null)

export const PortalEntryProvider = PortalEntryContext.Provider
export const usePortalEntry = (): PortalEntry => useRequiredContext(PortalEntryContext)
