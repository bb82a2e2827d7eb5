import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { areaPages } from '../account-screens.ts'
import { areaFor, storeLastArea } from './areas.ts'

/** Shows the area named in the URL or the last one shown, and stores it for the next visit. */
export function AreaPage() {
  const area = areaFor(useLocation().search, localStorage)
  useEffect(() => storeLastArea(area, localStorage), [area])
  const Page = areaPages[area]
  return <Page />
}
