import { createServices, type Services } from './services.ts'

let services: Services | undefined

/** Returns the single instance of the services for this page, which was opened by `joinLink`. */
export function getServices(joinLink: string | null): Services {
  services ??= createServices(joinLink)
  return services
}
