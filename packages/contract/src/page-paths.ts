/** The paths at which the page shows a screen. Every other one shows that nothing was found. */
const pagePaths = [
  /^\/(dashboard|settings|admin|portal|upgrade|upgrade-success|business|business-success|set-password|auth\/confirm)?$/,
  /^\/(s|invite|join-org|accept-invite|share|checkout\/test|admin\/user)\/[^/]+$/,
] as const

export const isPagePath = (pathname: string): boolean => pagePaths.some((pattern) => pattern.test(pathname))
