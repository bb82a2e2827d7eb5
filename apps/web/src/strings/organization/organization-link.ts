import { area } from '../area.ts'

/** What leads to the dashboard of an organization. The other strings of it are loaded together with it. */
export const organizationLinkStrings = area('organizationLink', {
  button: 'Business',
})
