import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import type { PortalIntent } from './portal-entry.ts'

/** Makes the landing page a drop target that opens a portal for the files. */
export function PortalDrop({ onEnter }: { readonly onEnter: (intent: PortalIntent) => void }) {
  const { isOver, fileCount } = useFileDrop({
    onFiles: (files) => onEnter({ kind: 'send', files }),
    onFolders: (entries) => onEnter({ kind: 'send-folders', entries }),
    enabled: true,
  })
  return <PageDropOverlay open={isOver} fileCount={fileCount} formatLabel={() => portalScreenStrings.drop} />
}
