/** The areas of the product in the order of the tab bar. */
export const areas = ['files', 'chat', 'portal', 'sessions'] as const

export type Area = (typeof areas)[number]

const lastAreaKey = 'lastTab'

const isArea = (text: string | null): text is Area => areas.some((area) => area === text)

/** The area named in the URL, otherwise the last one shown on this device. */
export function areaFor(search: string, storage: Pick<Storage, 'getItem'>): Area {
  const requested = new URLSearchParams(search).get('tab')
  if (isArea(requested)) return requested
  const last = storage.getItem(lastAreaKey)
  return isArea(last) ? last : 'files'
}

export const storeLastArea = (area: Area, storage: Pick<Storage, 'setItem'>): void => storage.setItem(lastAreaKey, area)

/** Whether this is a page of admins. */
export const isAdminPath = (pathname: string): boolean => /^\/admin(\/|$)/.test(pathname)

export const areaPath = (area: Area): string => `/?tab=${area}`
