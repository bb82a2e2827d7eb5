/** The parts of the product that are there to be used, in the order of the tab bar. */
export const areas = [
  { area: 'files', name: 'Files' },
  { area: 'chat', name: 'Chat' },
  { area: 'portal', name: 'Portal' },
  { area: 'sessions', name: 'Sessions' },
] as const

export type Area = (typeof areas)[number]['area']

const lastAreaName = 'lastTab'

const isArea = (text: string | null): text is Area => areas.some(({ area }) => area === text)

/** The area that an address names, else the one this device has shown last. */
export function areaAt(search: string, storage: Pick<Storage, 'getItem'>): Area {
  const named = new URLSearchParams(search).get('tab')
  if (isArea(named)) return named
  const last = storage.getItem(lastAreaName)
  return isArea(last) ? last : 'files'
}

export const rememberArea = (area: Area, storage: Pick<Storage, 'setItem'>): void => storage.setItem(lastAreaName, area)

export const addressOf = (area: Area): string => `/?tab=${area}`
