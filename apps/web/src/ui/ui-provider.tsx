import { CSPProvider } from '@base-ui/react/csp-provider'
import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { ToastViewport } from './toast.tsx'

interface UiProviderProps {
  readonly children: ReactNode
}

/** Goes once around everything: toasts, and no component may write a style element, which our content policy refuses. */
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
