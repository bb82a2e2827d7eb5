import { expect, type Locator, type Page } from '@playwright/test'
import { createCaller } from '@sallyport/client/call'
import { billing } from '@sallyport/contract/billing'
import { organizations } from '@sallyport/contract/organizations'
import { passwordField } from './users.ts'

interface Owner {
  readonly email: string
  readonly userId: string
  readonly accessToken: string
}

interface SeatsOptions {
  readonly name?: string
  readonly quantity?: number
  readonly laterCharges?: 'paid' | 'declined'
}

/** Calls the API as this account. */
export const callAs = (url: string, { accessToken }: Pick<Owner, 'accessToken'>) =>
  createCaller({ baseUrl: url, getAccessToken: async () => accessToken, fetch })

/** Buys seats for an account without the page. */
export async function buySeats(url: string, owner: Owner, options: SeatsOptions = {}): Promise<void> {
  const { name = 'Blue Whale', quantity = 5, laterCharges = 'paid' } = options
  const call = callAs(url, owner)
  const { checkout_url } = await call(billing.createBusinessCheckout, {
    body: {
      organization_name: name,
      customer_email: owner.email,
      user_id: owner.userId,
      quantity,
      success_url: '/',
      cancel_url: '/',
    },
  })
  const id = checkout_url.split('/').at(-1) ?? ''
  await call(billing.payTestCheckout, { params: { id }, query: { later_charges: laterCharges } })
}

/** Makes an account a member without the page and the email: by the link that the owner copies. */
export async function addMember(url: string, owner: Owner, member: Owner): Promise<void> {
  const body = { email: member.email }
  const { invitation } = await callAs(url, owner)(organizations.invite, { body })
  await callAs(url, member)(organizations.acceptInvite, { body: { token: `i.${invitation.id}` } })
}

export const businessButton = (page: Page): Locator => page.getByRole('link', { name: 'Business', exact: true })

/** The figure of a tile. */
export const tile = (page: Page, label: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

export const memberRow = (page: Page, email: string): Locator =>
  page.getByRole('table', { name: 'Team Members' }).getByRole('row').filter({ hasText: email })

export const invitationRow = (page: Page, email: string): Locator =>
  page.getByRole('region', { name: 'Pending Invitations' }).getByRole('listitem').filter({ hasText: email })

/** Invites someone on the dashboard. */
export async function inviteOnPage(page: Page, email: string, role?: 'Admin'): Promise<void> {
  await page.getByRole('button', { name: 'Invite Team Member' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite Team Member' })
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  if (role) await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(dialog).toBeHidden()
  await expect(invitationRow(page, email)).toBeVisible()
}

interface BusinessSignUp {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly confirmation?: string
}

/** Fills in and submits the sign-up form of a team, which is shown already. */
export async function fillBusinessForm(page: Page, signUp: BusinessSignUp): Promise<void> {
  const { name, email, password, confirmation = password } = signUp
  await page.getByRole('textbox', { name: 'Organization name' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordField(page, 'Password').fill(password)
  await passwordField(page, 'Confirm password').fill(confirmation)
  await page.getByRole('button', { name: 'Create Account & Continue to Checkout' }).click()
}

export async function openBusinessForm(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Choose Business' }).click()
  await expect(page.getByRole('textbox', { name: 'Organization name' })).toBeFocused()
}
