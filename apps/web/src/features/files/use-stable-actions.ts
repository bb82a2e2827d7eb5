import { useLayoutEffect, useRef, useState } from 'react'
import type { FileActions } from './file-row-actions.tsx'

/** Returns the same functions on every render, so that rows can be memoized. Each calls its latest version. */
export function useStableActions(actions: FileActions): FileActions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState<FileActions>(() => ({
    onOpen: (file) => latest.current.onOpen(file),
    onDownload: (file) => latest.current.onDownload(file),
    onCopyLink: (file) => latest.current.onCopyLink(file),
    onSave: (file) => latest.current.onSave(file),
    onShare: (file) => latest.current.onShare(file),
    onDelete: (file) => latest.current.onDelete(file),
  }))
  return stable
}
