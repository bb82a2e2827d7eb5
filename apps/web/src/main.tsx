import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/styles.css'
import { UiProvider } from './ui/ui-provider.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <h1 className="heading p-7 text-4xl">Sallyport</h1>
    </UiProvider>
  </StrictMode>,
)
