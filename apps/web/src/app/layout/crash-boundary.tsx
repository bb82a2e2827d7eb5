import { Component, type ReactNode } from 'react'
import { CrashScreen } from './crash-screen.tsx'

interface CrashBoundaryProps {
  readonly children: ReactNode
}

interface CrashBoundaryState {
  readonly error: unknown
}

/** Error boundary that confines a crash to one screen. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { error: null }

  static getDerivedStateFromError(error: unknown): CrashBoundaryState {
    return { error: error ?? new Error('Unknown') }
  }

  override render() {
    return this.state.error === null ? this.props.children : <CrashScreen error={this.state.error} />
  }
}
