/** The address of a service worker, which the build writes for its source file. */
declare module '*?service-worker' {
  export const serviceWorkerUrl: string
}
