// The page of a payment link: reads the link of its address, takes a card, and shows the result. It stores nothing.

import { onAnswer, showAuthentication } from './authentication.js';
import { once } from './intention.js';
import {
  element,
  fillCountries,
  input,
  money,
  Refusal,
  run,
  say,
  tableRow,
  taxLabel,
  token,
  typed,
  warn,
} from './page.js';
import { authenticateMutation, linkQuery, payMutation } from './pay-documents.js';
import { attempt, billingNames, complain, demandCountry, leadBack, payerAddress, show } from './payment.js';
import { showSeller } from './seller.js';
import { sentenceOf } from './sentences.js';
import { showCard, typedMethod } from './stripe.js';

const fieldNames = ['email', 'number', 'expiry', 'cvc', ...billingNames];

/** Shows what is to be paid. @param {any} link */
function showAmounts(link) {
  element('order').hidden = false;
  element('lines').replaceChildren(tableRow(link.description, money(link, link.amountSubtotal)));
  const isTaxOpen = link.requiresBillingCountry && typed('country') === '';
  const totals = isTaxOpen ? [tableRow('Tax', 'Choose a country')] : [];
  if (link.taxAmount > 0) totals.push(tableRow(taxLabel(link.tax), money(link, link.taxAmount)));
  element('totals').replaceChildren(...totals, tableRow('To pay', money(link, link.amountTotal)));
  element('pay').textContent = isTaxOpen ? 'Pay' : `Pay ${money(link, link.amountTotal)}`;
}

/** @param {any} link @param {boolean} isNow */
function showPaid(link, isNow) {
  show(null);
  warn(null);
  element('order').hidden = true;
  element('summary').textContent = '';
  const amount = money(link, link.amountTotal);
  say(
    isNow
      ? `Thank you. ${amount} has been paid.`
      : `${amount} has already been paid. Nothing more is charged here.`,
    'done',
  );
  element('title').focus();
  leadBack(link, isNow);
}

/** The link as it was shown last. @type {any} */
let shown = null;

/** Shows the link as the service has it. @param {any} link @param {boolean} isAfterPayment */
function render(link, isAfterPayment = false) {
  shown = link;
  document.title = `${link.description} – ${link.organizationName}`;
  showSeller(link);
  element('title').textContent = link.description;
  element('hints').hidden = link.livemode || link.nextStep === 'none' || link.publishableKey !== null;
  if (link.status === 'succeeded') return showPaid(link, isAfterPayment);
  if (link.status === 'canceled') {
    show(null);
    element('order').hidden = true;
    element('summary').textContent = '';
    return say('This payment was canceled. Ask the seller for a new link.');
  }
  element('summary').textContent = link.customerEmail === null ? '' : `Billed to ${link.customerEmail}.`;
  element('payer').hidden = link.customerEmail !== null;
  demandCountry(link.requiresBillingCountry);
  showAuthentication(link.authentication);
  showAmounts(link);
  say(link.nextStep === 'wait' ? 'The payment is under way. This page shows its outcome in a moment.' : '');
  if (link.nextStep === 'wait') {
    show(null);
    setTimeout(load, 2_000);
  } else show(link.nextStep === 'authenticate' ? 'authentication' : 'payment');
  return undefined;
}

/** Where the payer is, as far as that is typed in: the tax depends on it. */
const typedPlace = () =>
  Object.fromEntries(
    ['country', 'state', 'taxDocument'].flatMap((name) => (typed(name) === '' ? [] : [[name, typed(name)]])),
  );

/** Says that nothing can be shown. @param {unknown} error */
function showNothing(error) {
  const isInvalid =
    error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'payment_not_found');
  complain(
    isInvalid
      ? 'This link is not valid. Ask the seller for a new one.'
      : 'The payment cannot be shown right now. Reload the page to try again.',
  );
}

/**
 * Reads the link and shows it; what is shown stays where that fails. Answers whether there is still something to pay, null when nobody knows.
 * @param {any} answer what was answered to a payment that went through
 */
async function load(answer = null) {
  const isPaid =
    answer?.paymentLinkPay?.status === 'paid' || answer?.paymentLinkAuthenticate?.status === 'paid';
  try {
    const { paymentLink } = await run(linkQuery, { token, ...typedPlace() });
    if (paymentLink.nextStep !== 'none') await showCard(paymentLink.publishableKey);
    render(paymentLink, isPaid);
  } catch (error) {
    say('');
    if (isPaid) render({ ...shown, status: 'succeeded' }, true);
    else if (shown === null) showNothing(error);
    else return null;
  }
  return (
    shown !== null && shown.nextStep !== 'none' && shown.nextStep !== 'wait' && shown.status !== 'succeeded'
  );
}

/** Counts the prices asked for, so that a late answer does not replace a newer one. */
let asked = 0;

/** Shows the amounts again for the place typed in, and the card fields of the account that takes the card of a payer from there. */
async function reprice() {
  const turn = ++asked;
  try {
    const { paymentLink } = await run(linkQuery, { token, ...typedPlace() });
    if (turn !== asked) return;
    warn(null);
    if (paymentLink.nextStep !== 'pay') return render(paymentLink);
    await showCard(paymentLink.publishableKey);
    element('hints').hidden = paymentLink.livemode || paymentLink.publishableKey !== null;
    showAmounts(paymentLink);
  } catch (error) {
    // Without an answer the amounts shown stay; what is charged is shown by the payment itself.
    if (turn === asked && error instanceof Refusal) complain(sentenceOf(error));
  }
}

/** What was typed in, as the service wants it; an address only when one was begun. */
async function typedPayment() {
  const address = payerAddress();
  return {
    token,
    ...(await typedMethod()),
    ...(element('payer').hidden || typed('email') === '' ? {} : { email: typed('email') }),
    ...(address === null ? {} : { billingAddress: address }),
    ...(typed('taxDocument') === '' ? {} : { taxDocument: typed('taxDocument') }),
  };
}

/** @param {() => Promise<any>} step */
const perform = (step) => attempt(fieldNames, step, load);

for (const name of ['country', 'state', 'taxDocument']) input(name).addEventListener('change', reprice);
element('payment').addEventListener('submit', (event) => {
  event.preventDefault();
  return perform(async () => once('pay', payMutation, await typedPayment()));
});
onAnswer((succeed, ask) =>
  perform(async () => {
    await ask();
    return once('authenticate', authenticateMutation, { token, succeed });
  }),
);

fillCountries();
void load();
