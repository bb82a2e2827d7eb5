import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { leaveFor } from './leave-for.ts'

/**
 * Returns the function that opens what `paymentUrlOf` returned. It resolves when a page of this site is shown again, so
 * that a button which waits for it stays busy until then.
 */
export function useOpenPaymentUrl(): (url: string) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(async (url) => (url.startsWith('/') ? navigate(url) : leaveFor(url)), [navigate])
}
