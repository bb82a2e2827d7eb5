import { area } from '../area.ts'

export const adminAnalyticsStrings = area('adminAnalytics', {
  heading: 'Analytics',
  failed: 'Failed to load analytics',
  nothing: 'Nothing happened in these days',
  charts: {
    active_users: 'Active people',
    new_users: 'New people',
    uploads: 'Uploads',
    uploaded_bytes: 'Uploaded',
    downloads: 'Downloads',
    downloaded_bytes: 'Downloaded',
    shares: 'Share links',
    sessions: 'Sessions',
    portals: 'Portals',
  },
  totalsOnly:
    'These are totals: no page views, and nothing about any one person. Downloads in sessions aren’t counted.',
})
