import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { adminKey } from '../admin.queries.ts'
import { usersPath } from '../users/view-link.tsx'

/** Returns the function that leads from the page of a user who was deleted to the list, which is fetched again. */
export function useLeaveUser(): () => void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { state } = useLocation()
  return () => {
    void navigate(usersPath(state), { replace: true })
    void queries.invalidateQueries({ queryKey: [...adminKey, 'users'] })
  }
}
