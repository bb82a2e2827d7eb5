import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { followNewBuild } from './app/follow-new-build.ts'
import { dropMalformedJoin } from './app/malformed-join.ts'
import { createRouter } from './app/routes.tsx'
import { clearOldWorkers } from './transfers/old-workers.ts'
import './styles/styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const InsecureScreen = lazy(async () => ({ default: (await import('./app/insecure-screen.tsx')).InsecureScreen }))
const insecure = (
  <Suspense>
    <InsecureScreen />
  </Suspense>
)

dropMalformedJoin()
followNewBuild()
void clearOldWorkers()

createRoot(root).render(
  <StrictMode>{isSecureContext ? <RouterProvider router={createRouter()} /> : insecure}</StrictMode>,
)
