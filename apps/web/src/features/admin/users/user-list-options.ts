import { adminLimits, type LicenceFilter, UserSortKey } from '@sallyport/contract/admin'

/** The filters that are offered. */
export const licenceFilters = ['all', 'trial', 'vip', 'nonprofit', 'paid'] as const satisfies readonly LicenceFilter[]

export type OfferedFilter = (typeof licenceFilters)[number]

export interface UserListOptions {
  /** Counted from 1. */
  readonly page: number
  readonly search: string
  readonly licence: OfferedFilter
  readonly sortBy: UserSortKey
  readonly order: 'asc' | 'desc'
}

export const defaultOptions: UserListOptions = {
  page: 1,
  search: '',
  licence: 'all',
  sortBy: 'created_at',
  order: 'desc',
}

/** Reads the options from a URL. What is not valid there is the default. */
export function readUserListOptions(parameters: URLSearchParams): UserListOptions {
  const page = Number(parameters.get('page'))
  const licence = parameters.get('license_type')
  const sortBy = parameters.get('sort_by')
  const isPage = Number.isInteger(page) && page >= 1 && page <= adminLimits.maximumPage
  return {
    page: isPage ? page : defaultOptions.page,
    search: (parameters.get('search') ?? '').slice(0, adminLimits.maximumSearchLength),
    licence: licenceFilters.find((one) => one === licence) ?? defaultOptions.licence,
    sortBy: UserSortKey.options.find((one) => one === sortBy) ?? defaultOptions.sortBy,
    order: parameters.get('sort_order') === 'asc' ? 'asc' : defaultOptions.order,
  }
}

/** Writes the options into the parameters of the Users tab, without those that are the default. */
export function writeUserListOptions({ page, search, licence, sortBy, order }: UserListOptions): URLSearchParams {
  return new URLSearchParams({
    tab: 'users',
    ...(search === defaultOptions.search ? {} : { search }),
    ...(licence === defaultOptions.licence ? {} : { license_type: licence }),
    ...(sortBy === defaultOptions.sortBy ? {} : { sort_by: sortBy }),
    ...(order === defaultOptions.order ? {} : { sort_order: order }),
    ...(page === defaultOptions.page ? {} : { page: String(page) }),
  })
}

/** The order in which a key is sorted first: names from A, times and figures from the highest. */
export const firstOrder = (key: UserSortKey): UserListOptions['order'] =>
  key === 'email' || key === 'license_type' ? 'asc' : 'desc'

export const isFiltered = ({ search, licence }: UserListOptions): boolean => search !== '' || licence !== 'all'
