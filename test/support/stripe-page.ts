import type { BrowserContext, FrameLocator, Page, Route } from 'playwright-core';
import type { StripeServer } from './stripe.ts';
import { codeScript, fieldsScript, type StripeBrowser, stripeScript, walletScript } from './stripe-js.ts';

// Serves the fake Stripe script and frames in a browser, and forwards API requests to the fake Stripe API.

const htmlOf = (body: string, script: () => void): string =>
  `<!doctype html><meta charset="utf-8"><title>Stripe</title><body>${body}<script>(${script})()</script></body>`;

const fields =
  '<label>Card number <input id="number"></label><label>Expiry <input id="expiry"></label><label>CVC <input id="cvc"></label>';
const wallet =
  '<button id="wallet">Pay with a wallet</button><section id="sheet" hidden><p id="agreed"></p><button id="authorize">Authorize</button></section><p id="outcome"></p>';
const bank = '<button id="complete">Complete</button><button id="fail">Fail</button>';

function bankScript(): void {
  for (const [id, succeed] of Object.entries({ complete: true, fail: false }))
    (document.getElementById(id) as HTMLElement).onclick = () =>
      parent.postMessage({ type: 'answer', succeed }, '*');
}

/** Forwards a browser's request to the fake Stripe API. */
async function answer(route: Route, stripe: StripeServer): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const response = await fetch(`${stripe.url}${pathname}`, {
    method: request.method(),
    body: request.postData(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await route.fulfill({
    status: response.status,
    contentType: 'application/json',
    headers: { 'access-control-allow-origin': '*' },
    body: await response.text(),
  });
}

/** Intercepts a browser's requests to Stripe's hosts. By default, no wallet is available. */
export async function serveStripe(
  ctx: BrowserContext,
  stripe: StripeServer,
  { wallets = [], isBroken = false }: Partial<StripeBrowser> = {},
): Promise<void> {
  const pages = {
    'https://js.stripe.com/v3/elements-inner-payment.html': htmlOf(fields, fieldsScript),
    'https://js.stripe.com/v3/elements-inner-cvc.html': htmlOf(
      '<input id="cvc" aria-label="Security code">',
      codeScript,
    ),
    'https://b.js.stripe.com/v3/elements-inner-expressCheckout.html': htmlOf(wallet, walletScript),
    'https://hooks.stripe.com/3d_secure_2/hosted': htmlOf(bank, bankScript),
  };
  for (const [address, body] of Object.entries(pages))
    await ctx.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await ctx.route('https://js.stripe.com/v3/', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `(${stripeScript})(${JSON.stringify({ wallets, isBroken })})`,
    }),
  );
  await ctx.route('https://api.stripe.com/**', (route) => answer(route, stripe));
}

/** Returns the frame with the card fields. */
export const cardFrame = (page: Page): FrameLocator => page.frameLocator('#stripe-card iframe');

/** Returns the frame for a saved card's security code. */
export const codeFrame = (page: Page): FrameLocator => page.frameLocator('#stripe-code iframe');

/** Returns the frame with a wallet's button and sheet. */
export const walletFrame = (page: Page): FrameLocator => page.frameLocator('#stripe-wallets iframe');

/** Enters card details in Stripe's fields. */
export async function typeStripeCard(page: Page, number: string): Promise<void> {
  const frame = cardFrame(page);
  await frame.locator('#number').fill(number);
  await frame.locator('#expiry').fill('12/99');
  await frame.locator('#cvc').fill('123');
}

/** Returns the options that Stripe's fields received. */
export async function shownBy(page: Page): Promise<Record<string, unknown>> {
  const body = cardFrame(page).locator('body[data-options]');
  return JSON.parse((await body.getAttribute('data-options')) ?? '{}') as Record<string, unknown>;
}
