// The checkout page: reads the checkout its address stands for, takes a card, and shows what became of it. It keeps nothing.

import { declineText, element, input, markField, money, Refusal, run, say, tableRow, token, typed, typedAddress, warn } from './page.js';
import { billingNames, leadBack, markFirst, setBusy, show } from './payment.js';
import { authenticate, StripeProblem, showCard, typedMethod } from './stripe.js';

const fieldNames = ['number', 'expiry', 'cvc', ...billingNames, 'promoCode'];

const checkoutQuery = `query Checkout($token: String!, $country: String) {
  checkout(token: $token) {
    status kind nextStep organizationName customerEmail name planName billingInterval currency currencyDecimals price
    lineItems { description quantity amount } discountAmount taxAmount amountDue isOfferConditional trialDays trialEndsAt successUrl livemode
    publishableKey(country: $country) clientSecret
  }
}`;

const quoteQuery = `query Quote($input: CheckoutQuoteInput!) {
  checkoutQuote(input: $input) { currency currencyDecimals discountAmount taxAmount amountDue publishableKey }
}`;

const payMutation = `mutation Pay($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }`;

const authenticateMutation = `mutation Authenticate($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }`;

const intervals = { weekly: ' per week', monthly: ' per month', quarterly: ' per quarter', yearly: ' per year', one_time: '' };

/** @param {any} checkout */
function summaryOf(checkout) {
  const { price, billingInterval, trialDays, kind } = checkout;
  const rate = price === null ? '' : `${money(checkout, price)}${intervals[billingInterval] ?? ''}`;
  if (trialDays > 0)
    return `${trialDays} ${trialDays === 1 ? 'day' : 'days'} free${rate === '' ? '' : `, then ${rate}`}. Nothing is charged today.`;
  if (kind === 'setup') return rate === '' ? 'Nothing is charged today.' : `${rate}. Nothing is charged today.`;
  return rate;
}

/** @param {any} checkout */
function showOrder(checkout) {
  const { lineItems, discountAmount, taxAmount, amountDue, isOfferConditional } = checkout;
  element('order').hidden = lineItems.length === 0;
  const charged = lineItems.filter((/** @type {any} */ line) => line.amount >= 0);
  element('lines').replaceChildren(
    ...charged.map((/** @type {any} */ line) =>
      tableRow(line.quantity > 1 ? `${line.description} × ${line.quantity}` : line.description, money(checkout, line.amount)),
    ),
  );
  showTotals(checkout, { discountAmount, taxAmount, amountDue }, isOfferConditional);
}

/** What is taken off, the tax, and what is due. @param {any} of @param {any} amounts @param {boolean} isConditional */
function showTotals(of, { discountAmount, taxAmount, amountDue }, isConditional) {
  const totals = [];
  if (discountAmount > 0) totals.push(tableRow(isConditional ? 'Discount, with an eligible card' : 'Discount', money(of, -discountAmount)));
  if (taxAmount > 0) totals.push(tableRow('Tax', money(of, taxAmount)));
  totals.push(tableRow('Due now', money(of, amountDue)));
  element('totals').replaceChildren(...totals);
}

/** What Stripe authenticates the payer with, while it has to. @type {string | null} */
let clientSecret = null;

/** The country of the billing address, once it is typed in. */
const typedCountry = () => (/^[A-Za-z]{2}$/.test(typed('country')) ? typed('country').toUpperCase() : null);

/** The checkout as it was shown last. @type {any} */
let shown = null;

/**
 * Shows what would be charged with what is typed in so far, and the card fields of whoever would take it. A promo code that cannot be used is
 * told at once and left out. @param {string} promoCode
 */
async function quote(promoCode = typed('promoCode')) {
  if (shown === null || shown.status !== 'open' || shown.nextStep !== 'pay') return undefined;
  const [country, state, taxDocument] = [typedCountry(), typed('state'), typed('taxDocument')];
  if (country === null && taxDocument === '' && promoCode === '') return load();
  const typedIn = { country, state: state || null, taxDocument: taxDocument || null, promoCode: promoCode || null };
  try {
    const { checkoutQuote } = await run(quoteQuery, { input: { token, ...typedIn } });
    await showCard(checkoutQuote.publishableKey);
    element('hints').hidden = shown.livemode || checkoutQuote.publishableKey !== null;
    showTotals(checkoutQuote, checkoutQuote, shown.isOfferConditional);
    element('pay').textContent = checkoutQuote.amountDue > 0 ? `Pay ${money(checkoutQuote, checkoutQuote.amountDue)}` : 'Save card';
  } catch (error) {
    const isAboutCode = error instanceof Refusal && (error.code === 'promo_code_not_found' || error.param === 'promoCode');
    // Paying says what else is wrong; who takes the card is to be known nevertheless.
    if (!isAboutCode) return load();
    markField('promoCode', error.code === 'promo_code_not_found' ? 'This promo code is not known.' : error.message);
    return quote('');
  }
  return undefined;
}

/** @param {any} checkout @param {boolean} isNow */
function showCompleted(checkout, isNow) {
  show(null);
  warn(null);
  element('order').hidden = true;
  element('summary').textContent = '';
  const trial =
    checkout.trialEndsAt === null
      ? ''
      : ` Your trial runs until ${new Date(checkout.trialEndsAt).toLocaleDateString(undefined, { timeZone: 'UTC' })}.`;
  say(
    isNow ? `Thank you. ${checkout.name} is yours.${trial}` : 'This checkout has already been completed. Nothing more is charged here.',
    true,
  );
  element('title').focus();
  leadBack(checkout, isNow);
}

/** Shows the checkout as the service has it. @param {any} checkout @param {boolean} isAfterPayment */
function render(checkout, isAfterPayment = false) {
  shown = checkout;
  document.title = `${checkout.name} – ${checkout.organizationName}`;
  element('seller').textContent = checkout.organizationName;
  element('title').textContent = checkout.name;
  element('hints').hidden = checkout.livemode || checkout.status !== 'open' || checkout.publishableKey !== null;
  if (checkout.status === 'paid') return showCompleted(checkout, isAfterPayment);
  if (checkout.status === 'canceled') {
    show(null);
    return say('This checkout was canceled. Ask the seller for a new link.');
  }
  element('summary').textContent = `${summaryOf(checkout)} Billed to ${checkout.customerEmail}.`;
  showOrder(checkout);
  element('pay').textContent = checkout.kind === 'payment' ? `Pay ${money(checkout, checkout.amountDue)}` : 'Save card';
  say(checkout.nextStep === 'wait' ? 'The payment is under way. This page shows its outcome in a moment.' : '');
  if (checkout.nextStep === 'wait') {
    show(null);
    setTimeout(load, 2_000);
    return undefined;
  }
  show(checkout.nextStep === 'authenticate' ? 'authentication' : 'payment');
  if (checkout.nextStep === 'authenticate') element('confirm').focus();
  return undefined;
}

/** Reads the checkout and shows it. @param {boolean} isAfterPayment */
async function load(isAfterPayment = false) {
  try {
    const { checkout } = await run(checkoutQuery, { token, country: typedCountry() });
    clientSecret = checkout.clientSecret;
    if (checkout.status === 'open') await showCard(checkout.publishableKey);
    render(checkout, isAfterPayment === true);
  } catch (error) {
    show(null);
    element('order').hidden = true;
    say('');
    const isInvalid = error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'subscription_not_found');
    warn(
      isInvalid
        ? 'This link is not valid. Ask the seller for a new one.'
        : 'The checkout cannot be shown right now. Reload the page to try again.',
    );
  }
}

/** Shows a refusal beside the fields it names, else above the form. @param {unknown} error */
function showRefusal(error) {
  if (error instanceof StripeProblem) return warn(error.message);
  if (!(error instanceof Refusal)) return warn('The service cannot be reached. Nothing was charged; try again.');
  if (error.code === 'charge_failed') return warn(declineText(error));
  if (error.code === 'promo_code_not_found')
    return markFirst(fieldNames, [{ field: 'promoCode', message: 'This promo code is not known.' }]);
  if (error.param === 'promoCode') return markFirst(fieldNames, [{ field: 'promoCode', message: error.message }]);
  if (error.code === 'validation_error' && Array.isArray(error.details)) return markFirst(fieldNames, error.details);
  return warn(error.message);
}

/** What was typed in, as the service wants it; an address only when one was begun. */
async function typedPayment() {
  const address = typedAddress();
  return {
    token,
    ...(await typedMethod()),
    ...(address === null ? {} : { billingAddress: address }),
    ...(typed('taxDocument') === '' ? {} : { taxDocument: typed('taxDocument') }),
    ...(typed('promoCode') === '' ? {} : { promoCode: typed('promoCode') }),
  };
}

/** Runs a step of the payment with the form locked, then shows the checkout anew. @param {() => Promise<unknown>} step */
async function attempt(step) {
  warn(null);
  for (const name of fieldNames) markField(name, '');
  setBusy(true);
  say('Working …');
  try {
    await step();
    await load(true);
  } catch (error) {
    say('');
    // A failed authentication leads back to the card; a checkout completed elsewhere meanwhile shows itself so.
    await load();
    setBusy(false);
    showRefusal(error);
  } finally {
    setBusy(false);
  }
}

element('payment').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(async () => run(payMutation, { input: await typedPayment() }));
});
element('confirm').addEventListener('click', () =>
  attempt(async () => {
    // Whatever came of it, the service asks Stripe.
    await authenticate(clientSecret);
    await run(authenticateMutation, { input: { token, succeed: true } });
  }),
);
element('refuse').addEventListener('click', () => attempt(() => run(authenticateMutation, { input: { token, succeed: false } })));

for (const name of ['country', 'state', 'taxDocument', 'promoCode'])
  input(name).addEventListener('change', () => {
    markField('promoCode', '');
    void quote();
  });

load();
