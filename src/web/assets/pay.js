// The page of a payment link: reads the link its address stands for, takes a card, and shows what became of it. It keeps nothing.

import { declineText, element, input, markField, money, Refusal, run, say, tableRow, token, typed, typedAddress, warn } from './page.js';
import { billingNames, leadBack, markFirst, setBusy, show } from './payment.js';
import { authenticate, StripeProblem, showCard, typedMethod } from './stripe.js';

const fieldNames = ['email', 'number', 'expiry', 'cvc', ...billingNames];

const linkQuery = `query Link($token: String!, $country: String, $state: String, $taxDocument: String) {
  paymentLink(token: $token, country: $country, state: $state, taxDocument: $taxDocument) {
    status nextStep organizationName customerEmail description amountSubtotal taxAmount amountTotal currency currencyDecimals country
    successUrl livemode publishableKey clientSecret
  }
}`;

const payMutation = `mutation Pay($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }`;

const authenticateMutation = `mutation Authenticate($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }`;

/** Shows what is to be paid. @param {any} link */
function showAmounts(link) {
  element('order').hidden = false;
  element('lines').replaceChildren(tableRow(link.description, money(link, link.amountSubtotal)));
  const totals = link.taxAmount > 0 ? [tableRow('Tax', money(link, link.taxAmount))] : [];
  element('totals').replaceChildren(...totals, tableRow('To pay', money(link, link.amountTotal)));
  element('pay').textContent = `Pay ${money(link, link.amountTotal)}`;
}

/** @param {any} link @param {boolean} isNow */
function showPaid(link, isNow) {
  show(null);
  warn(null);
  element('order').hidden = true;
  element('summary').textContent = '';
  const amount = money(link, link.amountTotal);
  say(isNow ? `Thank you. ${amount} has been paid.` : `${amount} has already been paid. Nothing more is charged here.`, true);
  element('title').focus();
  leadBack(link, isNow);
}

/** Shows the link as the service has it. @param {any} link @param {boolean} isAfterPayment */
function render(link, isAfterPayment = false) {
  document.title = `${link.description} – ${link.organizationName}`;
  element('seller').textContent = link.organizationName;
  element('title').textContent = link.description;
  element('hints').hidden = link.livemode || link.nextStep === 'none' || link.publishableKey !== null;
  if (link.status === 'succeeded') return showPaid(link, isAfterPayment);
  if (link.status === 'canceled') {
    show(null);
    element('order').hidden = true;
    return say('This payment was canceled. Ask the seller for a new link.');
  }
  element('summary').textContent = link.customerEmail === null ? '' : `Billed to ${link.customerEmail}.`;
  element('payer').hidden = link.customerEmail !== null;
  // The tax depends on where the payer is, so that is asked for where nobody knows it.
  if (link.country === null) /** @type {HTMLDetailsElement} */ (document.getElementById('billing')).open = true;
  showAmounts(link);
  say(link.nextStep === 'wait' ? 'The payment is under way. This page shows its outcome in a moment.' : '');
  if (link.nextStep === 'wait') {
    show(null);
    setTimeout(load, 2_000);
    return undefined;
  }
  show(link.nextStep === 'authenticate' ? 'authentication' : 'payment');
  if (link.nextStep === 'authenticate') element('confirm').focus();
  return undefined;
}

/** Where the payer is, as far as that is typed in: the tax depends on it. */
function typedPlace() {
  const country = typed('country').toUpperCase();
  if (!/^[A-Z]{2}$/.test(country)) return {};
  return {
    country,
    ...(typed('state') === '' ? {} : { state: typed('state') }),
    ...(typed('taxDocument') === '' ? {} : { taxDocument: typed('taxDocument') }),
  };
}

/** What Stripe authenticates the payer with, while it has to. @type {string | null} */
let clientSecret = null;

/** Reads the link and shows it. @param {boolean} isAfterPayment */
async function load(isAfterPayment = false) {
  try {
    const { paymentLink } = await run(linkQuery, { token, ...typedPlace() });
    clientSecret = paymentLink.clientSecret;
    if (paymentLink.nextStep !== 'none') await showCard(paymentLink.publishableKey);
    render(paymentLink, isAfterPayment === true);
  } catch (error) {
    show(null);
    element('order').hidden = true;
    say('');
    const isInvalid = error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'payment_not_found');
    warn(
      isInvalid
        ? 'This link is not valid. Ask the seller for a new one.'
        : 'The payment cannot be shown right now. Reload the page to try again.',
    );
  }
}

/** Shows the amounts anew for the place typed in, and the card fields of whoever takes the card of a payer from there. */
async function reprice() {
  try {
    const { paymentLink } = await run(linkQuery, { token, ...typedPlace() });
    if (paymentLink.nextStep !== 'pay') return render(paymentLink);
    await showCard(paymentLink.publishableKey);
    element('hints').hidden = paymentLink.livemode || paymentLink.publishableKey !== null;
    return showAmounts(paymentLink);
  } catch (error) {
    // The amounts shown stay; what is charged is shown by the payment itself.
    return error instanceof Refusal ? warn(error.message) : warn('The payment cannot be shown right now. Reload the page to try again.');
  }
}

/** Shows a refusal beside the fields it names, else above the form. @param {unknown} error */
function showRefusal(error) {
  if (error instanceof StripeProblem) return warn(error.message);
  if (!(error instanceof Refusal)) return warn('The service cannot be reached. Nothing was charged; try again.');
  if (/** @type {any} */ (error.details)?.declineCode !== undefined) return warn(declineText(error));
  if (error.code === 'validation_error' && Array.isArray(error.details)) return markFirst(fieldNames, error.details);
  // What is over or under way shows itself so.
  if (error.code === 'no_outstanding_invoice' || error.code === 'charge_in_progress') return undefined;
  return warn(error.message);
}

/** What was typed in, as the service wants it; an address only when one was begun. */
async function typedPayment() {
  const address = typedAddress();
  return {
    token,
    ...(await typedMethod()),
    ...(element('payer').hidden || typed('email') === '' ? {} : { email: typed('email') }),
    ...(address === null ? {} : { billingAddress: address }),
    ...(typed('taxDocument') === '' ? {} : { taxDocument: typed('taxDocument') }),
  };
}

/** Runs a step of the payment with the form locked, then shows the link anew. @param {() => Promise<unknown>} step */
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
    // A failed authentication leads back to the card; a link paid or canceled elsewhere meanwhile shows itself so.
    await load();
    setBusy(false);
    showRefusal(error);
  } finally {
    setBusy(false);
  }
}

for (const name of ['country', 'state', 'taxDocument']) input(name).addEventListener('change', reprice);
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

load();
