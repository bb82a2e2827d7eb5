import { expect, test } from 'vitest'
import { type PaymentPage, paymentUrlOf } from './payment-url.ts'

const site = 'https://files.example/settings'
const testPath = `/checkout/test/tcs_${'a'.repeat(43)}`

const accepted: readonly (readonly [PaymentPage, url: string, result: string])[] = [
  ['checkout', testPath, testPath],
  ['checkout', `https://files.example${testPath}`, testPath],
  ['checkout', `http://10.0.0.2:3000${testPath}`, testPath],
  [
    'checkout',
    'https://checkout.stripe.com/c/pay/cs_test_a1#fidkdWxO',
    'https://checkout.stripe.com/c/pay/cs_test_a1#fidkdWxO',
  ],
  ['checkout', 'HTTPS://Checkout.Stripe.com:443/c', 'https://checkout.stripe.com/c'],
  ['portal', 'https://billing.stripe.com/p/session/1?a=b', 'https://billing.stripe.com/p/session/1?a=b'],
  ['invoice', 'https://invoice.stripe.com/i/acct_1/test_1', 'https://invoice.stripe.com/i/acct_1/test_1'],
]

test.each(accepted)('PLN-04 a page to pay on is accepted: %s %s', (page, url, result) => {
  expect(paymentUrlOf(page, url, site)).toBe(result)
})

const hostile: readonly (readonly [PaymentPage, url: string])[] = [
  ['checkout', ''],
  ['checkout', '/'],
  ['checkout', '/s/abc#key'],
  ['checkout', '/checkout/test/tcs_1'],
  ['checkout', `${testPath}?next=https://evil.example`],
  ['checkout', `/checkout/test/../../s/tcs_${'a'.repeat(43)}`],
  ['portal', testPath],
  ['invoice', testPath],
  ['portal', `https://files.example${testPath}`],
  ['checkout', '//checkout.stripe.com/c'],
  ['checkout', 'checkout.stripe.com/c'],
  ['checkout', 'http://checkout.stripe.com/c'],
  ['checkout', 'ftp://checkout.stripe.com/c'],
  ['checkout', 'https://checkout.stripe.com:8443/c'],
  ['checkout', 'https://checkout.stripe.com:80/c'],
  ['checkout', 'https://user@checkout.stripe.com/c'],
  ['checkout', 'https://:secret@checkout.stripe.com/c'],
  ['checkout', 'https://checkout.stripe.com@evil.example/c'],
  ['checkout', 'https://checkout.stripe.com:443@evil.example/c'],
  ['checkout', 'https://evil.example/checkout.stripe.com'],
  ['checkout', 'https://evil.example?https://checkout.stripe.com/c'],
  ['checkout', 'https://evil.example#https://checkout.stripe.com/c'],
  ['checkout', 'https://evil.example\\@checkout.stripe.com/c'],
  ['checkout', 'https://checkout.stripe.com.evil.example/c'],
  ['checkout', 'https://evilcheckout.stripe.com/c'],
  ['checkout', 'https://evil.checkout.stripe.com/c'],
  ['checkout', 'https://checkout-stripe.com/c'],
  ['checkout', 'https://checkout.stripe.com./c'],
  ['checkout', 'https://checkout.stripe.co/c'],
  ['checkout', 'https://checkout.strıpe.com/c'],
  ['checkout', 'https://сheckout.stripe.com/c'],
  ['checkout', 'https://stripe.com/c'],
  ['checkout', 'https://files.stripe.com/c'],
  ['checkout', 'https://billing.stripe.com/p'],
  ['checkout', 'https://invoice.stripe.com/i'],
  ['portal', 'https://checkout.stripe.com/c'],
  ['portal', 'https://invoice.stripe.com/i'],
  ['invoice', 'https://checkout.stripe.com/c'],
  ['invoice', 'https://billing.stripe.com/p'],
  ['invoice', 'https://pay.stripe.com/i'],
  ['checkout', 'javascript:alert(1)//checkout.stripe.com'],
  ['checkout', 'java\nscript:alert(1)'],
  ['checkout', 'data:text/html,<h1>Pay</h1>'],
  ['checkout', 'blob:https://checkout.stripe.com/1'],
  ['checkout', 'filesystem:https://checkout.stripe.com/1'],
  ['checkout', 'file:///etc/passwd'],
  ['checkout', 'intent://checkout.stripe.com#Intent;end'],
  ['checkout', 'view-source:https://checkout.stripe.com/c'],
  ['checkout', 'http://localhost:4242/c'],
  ['checkout', 'http://127.0.0.1:4242/c'],
  ['portal', 'http://[::1]:4242/p'],
]

test.each(hostile)('PLN-04 a page elsewhere is not opened: %s %s', (page, url) => {
  expect(() => paymentUrlOf(page, url, site)).toThrow('no page to pay on')
})

test.each(['http://localhost:5173/settings', 'http://127.0.0.1:3000/settings', 'http://[::1]:3000/settings'])(
  'a page that is open on this machine, %s, accepts a server in place of Stripe there and nowhere else',
  (openedAt) => {
    for (const page of ['checkout', 'portal', 'invoice'] as const) {
      for (const url of ['http://127.0.0.1:4242/c', 'http://localhost/c', 'http://[::1]:4242/c'])
        expect(paymentUrlOf(page, url, openedAt)).toBe(url)
      for (const url of [
        'http://checkout.stripe.com/c',
        'http://127.0.0.2/c',
        'http://10.0.0.1/c',
        'http://0.0.0.0/c',
        'http://localhost.evil.example/c',
        'http://127.0.0.1.evil.example/c',
        'http://localhost@evil.example/c',
        'http://user@localhost/c',
        'https://localhost/c',
        'https://evil.example/c',
        'javascript:alert(1)',
      ])
        expect(() => paymentUrlOf(page, url, openedAt)).toThrow('no page to pay on')
    }
  },
)

test.each([
  'https://localhost.example/settings',
  'https://127.0.0.1.example/settings',
  'https://files.local/settings',
  'http://192.168.1.2/settings',
])('a page that is open on another machine, %s, is not led to this one', (openedAt) => {
  expect(() => paymentUrlOf('checkout', 'http://127.0.0.1:4242/c', openedAt)).toThrow('no page to pay on')
})
