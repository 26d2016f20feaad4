// The pages that ask for a card outside the checkout: to pay what keeps a subscription from running, or to replace the stored one.

import { declineText, element, fieldOf, input, markField, money, Refusal, returnAddress, run, say, token, warn } from './page.js';
import { StripeProblem, showCard, typedMethod } from './stripe.js';

const shown = 'status organizationName customerEmail name amountDue currency currencyDecimals successUrl livemode publishableKey';

/** Whether the address is that of a payment; else a card is only stored. */
const isPayment = location.pathname.includes('/recover/');

const load = isPayment
  ? `query Recovery($token: String!) { request: recovery(token: $token) { ${shown} } }`
  : `query Method($token: String!) { request: paymentMethodUpdate(token: $token) { ${shown} } }`;

const submit = isPayment
  ? `mutation Pay($input: RecoveryPayInput!) { request: recoveryPay(input: $input) { ${shown} } }`
  : `mutation Store($input: PaymentMethodStoreInput!) { request: paymentMethodStore(input: $input) { ${shown} } }`;

const fieldNames = ['number', 'expiry', 'cvc'];

/** Says how it ended and leads back. @param {any} request @param {string} text */
function finish(request, text) {
  element('payment').hidden = true;
  say(text, true);
  element('title').focus();
  const address = returnAddress(request.successUrl);
  if (address === null) return;
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('return-link'));
  link.href = address;
  link.textContent = `Continue to ${request.organizationName}`;
  element('return').hidden = false;
}

/** Shows what the service says. @param {any} request @param {boolean} isSubmitted */
function render(request, isSubmitted = false) {
  document.title = `${request.name} – ${request.organizationName}`;
  element('seller').textContent = request.organizationName;
  element('title').textContent = request.name;
  element('hints').hidden = request.livemode || request.status !== 'open' || request.publishableKey !== null;
  const amount = money(request, request.amountDue);
  element('summary').textContent = isPayment
    ? `${amount}, billed to ${request.customerEmail}.`
    : `The card for later charges, billed to ${request.customerEmail}. Nothing is charged today.`;
  element('pay').textContent = isPayment ? `Pay ${amount}` : 'Save card';
  if (isSubmitted) return finish(request, isPayment ? 'Thank you. The payment has arrived.' : 'Thank you. The card is saved.');
  if (request.status === 'paid') return finish(request, 'This has already been paid. Nothing more is charged here.');
  if (request.status === 'closed') return say('There is nothing to do here any more. Ask the seller for a new link.');
  say('');
  element('payment').hidden = false;
  return undefined;
}

/** Shows a refusal beside the fields it names, else above the form. @param {unknown} error */
function showRefusal(error) {
  if (error instanceof StripeProblem) return warn(error.message);
  if (!(error instanceof Refusal)) return warn('The service cannot be reached. Nothing was charged; try again.');
  if (error.code === 'charge_failed') return warn(declineText(error));
  const problems = error.code === 'validation_error' && Array.isArray(error.details) ? error.details : [];
  const placed = problems.filter(({ field }) => fieldNames.includes(fieldOf(field)));
  for (const { field, message } of placed) markField(fieldOf(field), message.charAt(0).toUpperCase() + message.slice(1));
  if (placed.length === 0) return warn(error.message);
  return input(fieldOf(placed[0].field)).focus();
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  /** @type {HTMLFieldSetElement} */ (document.getElementById('fields')).disabled = isBusy;
  document.body.setAttribute('aria-busy', String(isBusy));
}

element('payment').addEventListener('submit', async (event) => {
  event.preventDefault();
  warn(null);
  for (const name of fieldNames) markField(name, '');
  setBusy(true);
  say('Working …');
  try {
    const { request } = await run(submit, { input: { token, ...(await typedMethod()) } });
    render(request, true);
  } catch (error) {
    say('');
    setBusy(false);
    showRefusal(error);
  } finally {
    setBusy(false);
  }
});

try {
  const { request } = await run(load, { token });
  if (request.status === 'open') await showCard(request.publishableKey);
  render(request);
} catch (error) {
  say('');
  const isInvalid = error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'subscription_not_found');
  warn(isInvalid ? 'This link is not valid. Ask the seller for a new one.' : 'The page cannot be shown right now. Reload it to try again.');
}
