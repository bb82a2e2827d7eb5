import { NavLink } from 'react-router'
import { segmentClass, segmentedClass } from '#/ui/tabs.tsx'
import { areas } from './areas.ts'

/** The way between the areas; with only one there is nothing to choose. */
export function AreaTabs() {
  if (areas.length < 2) return null
  return (
    <nav aria-label="Areas" className={segmentedClass}>
      {areas.map(({ name, path }) => (
        <NavLink key={path} to={path} end className={segmentClass}>
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
