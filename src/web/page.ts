import { countryCodes } from '../domain/countries.ts';
import { contentPolicy } from '../http/content-policy.ts';
import { type Served, serveText } from '../http/fixed-text.ts';

/** Scripts, styles and calls from the page's own origin only, and Stripe's where its fields take the card. */
const policyOf = (hasStripe: boolean): string =>
  contentPolicy({
    scripts: ["'self'", ...(hasStripe ? ['https://js.stripe.com'] : [])],
    styles: ["'self'"],
    connections: ["'self'", ...(hasStripe ? ['https://api.stripe.com'] : [])],
    // Where a seller is shown, so is its logo, which lies wherever the seller keeps it.
    ...(hasStripe
      ? { images: ['https:'], frames: ['https://js.stripe.com', 'https://hooks.stripe.com'] }
      : {}),
  });

/** What differs between the documents of pages. */
type PageParts = {
  /** Names the page's script and style below `/assets/`. */
  readonly name: string;
  readonly title: string;
  /** The inside of the body's `main`, as HTML. */
  readonly main: string;
  /** Whether Stripe's own fields may take the card (PAY-11). */
  readonly hasStripe?: boolean;
};

/** Where the files of pages and the API lie, seen from a page: beside it, also when the service lives below a path. */
export const pathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '');

/**
 * A hosted page: one document for every address it has. Its script reads the token from the address and everything else over GraphQL, so the
 * document reveals nothing to someone who guesses an address.
 */
export const servePage = (publicUrl: string, parts: PageParts): Served =>
  serveText(documentBelow(pathOf(publicUrl), parts), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(parts.hasStripe === true),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });

/** A labelled input with a place for what is wrong with it. */
export const field = (id: string, label: string, attributes: string): string =>
  `<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" ${attributes} aria-describedby="${id}-problem"><span class="problem" id="${id}-problem"></span></p>`;

/** The list of countries; the script of the page puts their names in. */
const countryField = `<p class="field"><label for="country">Country</label><select id="country" name="country" autocomplete="country" data-countries="${countryCodes.join(' ')}" aria-describedby="country-problem"><option value="">Choose a country</option></select><span class="problem" id="country-problem"></span></p>`;

/** The inputs of a billing address and a tax number. */
export const billingFields = `${field('line1', 'Street and number', 'autocomplete="address-line1" maxlength="300"')}
<div class="row">
${field('postalCode', 'Postal code', 'autocomplete="postal-code" maxlength="40"')}
${field('city', 'City', 'autocomplete="address-level2" maxlength="200"')}
</div>
${countryField}
${field('state', 'State or province', 'autocomplete="address-level1" maxlength="200"')}
${field('taxDocument', 'Tax number', 'autocomplete="off" maxlength="100"')}`;

/** The inputs of a card. */
const cardFields = `${field('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" maxlength="40" required')}
<div class="row">
${field('expiry', 'Expiry (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" maxlength="9" required')}
${field('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4" required')}
</div>`;

/** Who sells, with room for a logo. */
export const seller = `<img id="logo" class="logo" alt="" hidden>
<p class="seller" id="seller" dir="auto"></p>`;

/** Where the page says how things stand, and what went wrong. */
export const sayings = `<p class="status" id="status" role="status" aria-live="polite">Loading …</p>
<p class="alert" id="alert" role="alert" tabindex="-1" hidden></p>`;

const documentBelow = (base: string, { name, title, main }: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${base}/assets/page.css">
<link rel="stylesheet" href="${base}/assets/${name}.css">
<script type="module" src="${base}/assets/${name}.js"></script>
</head>
<body data-api="${base}/graphql">
<main>
${main}
</main>
</body>
</html>
`;

/** The inputs of a card, or the place where Stripe shows its own; the script of the page shows one of them. */
export const eitherCard = `<div id="own-card">
${cardFields}
</div>
<div id="stripe-card" hidden></div>`;

/** What the payer is asked where the bank wants a confirmation. */
export const bankConfirmation = `<section id="authentication" aria-labelledby="authentication-title" hidden>
<h2 id="authentication-title">Confirm with your bank</h2>
<p id="authentication-text"></p>
<p class="row"><button type="button" id="confirm">Confirm</button><button type="button" class="quiet" id="reject">Decline</button></p>
</section>`;
