import { Component, type ReactNode } from 'react'
import { CrashScreen } from './crash-screen.tsx'

interface CrashBoundaryProps {
  /** Shows nothing after a crash: for parts without which the screen can be used. */
  readonly isSilent?: boolean
  readonly children: ReactNode
}

interface CrashBoundaryState {
  readonly error: unknown
}

/** Error boundary that confines a crash to one screen, or to one part of it. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): CrashBoundaryState {
    return { error: error ?? new Error('Unknown') }
  }

  override render() {
    const { children, isSilent = false } = this.props
    if (this.state.error === null) return children
    return isSilent ? null : <CrashScreen error={this.state.error} />
  }
}
