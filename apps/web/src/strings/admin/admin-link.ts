import { area } from '../area.ts'

/** What leads to the admin area. The other strings of the area are loaded together with it. */
export const adminLinkStrings = area('adminLink', {
  button: 'Admin',
  dashboard: 'Admin Dashboard',
})
