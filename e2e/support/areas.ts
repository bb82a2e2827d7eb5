import type { Page } from '@playwright/test'

export const areas = (page: Page) => page.getByRole('navigation', { name: 'Areas' }).first()
