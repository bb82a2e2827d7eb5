import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './gallery.css'
import { UiProvider } from '#/components/ui/ui-provider.tsx'
import { FilesView } from './files-view.tsx'
import { KitView } from './kit-view.tsx'
import { ShareView } from './sharing-view.tsx'

const views: Record<string, () => React.ReactNode> = {
  kit: KitView,
  files: FilesView,
  share: ShareView,
}

function Gallery() {
  const name = new URLSearchParams(location.search).get('view')
  const View = name ? views[name] : undefined
  if (View) return <View />
  return (
    <ul className="p-7">
      {Object.keys(views).map((view) => (
        <li key={view}>
          <a href={`?view=${view}`}>{view}</a>
        </li>
      ))}
    </ul>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <Gallery />
    </UiProvider>
  </StrictMode>,
)
