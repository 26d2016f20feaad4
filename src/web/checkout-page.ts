import { type Served, serveText } from './asset.ts';

/** Scripts, styles and calls from the page's own origin only; nothing may frame it or be sent elsewhere by a form. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Where the page's files and the API lie, seen from `/checkout/:token`: beside it, also when the service lives below a path. */
const pathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '');

/**
 * The hosted checkout page: one document for every checkout. Its script reads the token from the address and everything else over GraphQL,
 * so the document tells nothing to whoever guesses an address.
 */
export const checkoutPage = (publicUrl: string): Served =>
  serveText(documentBelow(pathOf(publicUrl)), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });

const field = (id: string, label: string, attributes: string): string =>
  `<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" ${attributes} aria-describedby="${id}-problem"><span class="problem" id="${id}-problem"></span></p>`;

const documentBelow = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<link rel="stylesheet" href="${base}/assets/checkout.css">
<script type="module" src="${base}/assets/checkout.js"></script>
</head>
<body data-api="${base}/graphql">
<main>
<noscript><p>This page needs JavaScript to take a payment safely.</p></noscript>
<header>
<p class="seller" id="seller"></p>
<h1 id="title" tabindex="-1">Checkout</h1>
<p id="summary"></p>
</header>
<p class="status" id="status" role="status" aria-live="polite">Loading …</p>
<p class="alert" id="alert" role="alert" hidden></p>
<section id="order" aria-label="Order" hidden>
<table><tbody id="lines"></tbody><tfoot id="totals"></tfoot></table>
</section>
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Card</legend>
${field('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" maxlength="40" required')}
<div class="row">
${field('expiry', 'Expiry (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" maxlength="9" required')}
${field('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4" required')}
</div>
<details id="billing">
<summary>Billing address and tax number</summary>
${field('line1', 'Street and number', 'autocomplete="address-line1" maxlength="300"')}
<div class="row">
${field('postalCode', 'Postal code', 'autocomplete="postal-code" maxlength="40"')}
${field('city', 'City', 'autocomplete="address-level2" maxlength="200"')}
</div>
<div class="row">
${field('state', 'State or province', 'autocomplete="address-level1" maxlength="200"')}
${field('country', 'Country (two letters)', 'autocomplete="country" maxlength="2"')}
</div>
${field('taxDocument', 'Tax number', 'autocomplete="off" maxlength="100"')}
</details>
${field('promoCode', 'Promo code (optional)', 'autocomplete="off" maxlength="200"')}
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
<section id="authentication" aria-labelledby="authentication-title" hidden>
<h2 id="authentication-title">Confirm with your bank</h2>
<p>Your bank wants to know that it is you.</p>
<p class="row"><button type="button" id="confirm">Confirm payment</button><button type="button" class="quiet" id="refuse">Decline</button></p>
</section>
<p id="return" hidden><a id="return-link">Continue</a></p>
<aside id="hints" aria-label="Test cards" hidden>
<h2>Sandbox</h2>
<p>No money moves here. Any future expiry and any security code will do.</p>
<table>
<tr><th scope="row">4242 4242 4242 4242</th><td>pays</td></tr>
<tr><th scope="row">4000 0000 0000 0002</th><td>is declined</td></tr>
<tr><th scope="row">4000 0000 0000 9995</th><td>has insufficient funds</td></tr>
<tr><th scope="row">4000 0000 0000 0069</th><td>has expired</td></tr>
<tr><th scope="row">4000 0000 0000 3220</th><td>needs confirmation</td></tr>
<tr><th scope="row">4000 0000 0000 0341</th><td>pays once, is declined later</td></tr>
</table>
</aside>
</main>
</body>
</html>
`;
