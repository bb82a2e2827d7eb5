import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { followNewBuild } from './app/follow-new-build.ts'
import { createRouter } from './app/routes.tsx'
import { clearOldWorkers } from './transfers/old-workers.ts'
import './styles/styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

followNewBuild()
void clearOldWorkers()

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createRouter()} />
  </StrictMode>,
)
