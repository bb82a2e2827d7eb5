import { useMutation } from '@tanstack/react-query'
import { useToast } from '../overlays/toast.tsx'

/** Runs a command, at once even while the browser is offline, and shows its error as a toast. */
export function useCommand<Input, Result>(
  run: (input: Input) => Promise<Result>,
  describeError: (error: unknown) => string,
) {
  const toast = useToast()
  return useMutation({
    mutationFn: run,
    networkMode: 'always',
    // Results may be names or tokens, which no cache needs to hold.
    gcTime: 0,
    onError: (error) => toast({ text: describeError(error), tone: 'rust', urgent: true }),
  })
}
