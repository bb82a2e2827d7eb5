import type { Page } from '@playwright/test'

interface StoredKeys {
  readonly slots: readonly { readonly slot: number; readonly profile: number; readonly wrappedKey: string }[]
  readonly recovery: { readonly wrappedKey: string } | null
}

/** The keys that the server stores, fetched with the access token of the page. */
export const fetchKeys = (page: Page): Promise<StoredKeys> =>
  page.evaluate(async () => {
    const { access_token } = JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}')
    const answer = await fetch('/api/account/keys', { headers: { authorization: `Bearer ${access_token}` } })
    return answer.json()
  })

export const listKeySlots = async (page: Page): Promise<number[]> =>
  (await fetchKeys(page)).slots.map(({ slot }) => slot)
