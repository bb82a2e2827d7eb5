import { area } from './area.ts'

export const insecureStrings = area('insecure', {
  title: 'HTTPS required',
  reason:
    'Sallyport encrypts everything in your browser before upload, and browsers allow that only on pages loaded over HTTPS. This one wasn’t.',
  open: 'Open over HTTPS',
  operator:
    'If that doesn’t work, ask the administrator of this server to enable HTTPS. On the server itself, localhost works too.',
})

export const siteDataStrings = area('siteData', {
  title: 'Site data is blocked',
  reason:
    'Your browser doesn’t let this site store anything. Sallyport keeps your sign-in and your keys in the browser, so it can’t run without that.',
  reload: 'Reload Page',
  hint: 'Allow cookies and site data for this site in your browser’s settings, then reload. Links to shared files work without it.',
})
