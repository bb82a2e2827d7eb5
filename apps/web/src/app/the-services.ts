import { createServices, type Services } from './services.ts'

let services: Services | undefined

/** One for the whole page, whichever way somebody comes in. */
export function theServices(): Services {
  services ??= createServices()
  return services
}
