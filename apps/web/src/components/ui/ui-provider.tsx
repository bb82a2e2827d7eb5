import { CSPProvider } from '@base-ui/react/csp-provider'
import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { ToastViewport } from './overlays/toast.tsx'

interface UiProviderProps {
  readonly children: ReactNode
}

/** Wraps the whole app: provides toasts and disables style elements, which the content security policy forbids. */
export function UiProvider({ children }: UiProviderProps) {
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider limit={3}>
        {children}
        <ToastViewport />
      </Toast.Provider>
    </CSPProvider>
  )
}
