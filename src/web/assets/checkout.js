// The checkout page: reads the checkout of its address, takes a card, and shows the result. It stores nothing.

import { onAnswer, showAuthentication } from './authentication.js';
import { authenticateMutation, checkoutQuery, payMutation, quoteQuery } from './checkout-documents.js';
import { once } from './intention.js';
import {
  day,
  element,
  fillCountries,
  input,
  markField,
  money,
  perInterval,
  Refusal,
  run,
  say,
  tableRow,
  taxLabel,
  token,
  typed,
  warn,
} from './page.js';
import { attempt, billingNames, complain, demandCountry, leadBack, payerAddress, show } from './payment.js';
import { showSeller } from './seller.js';
import { promoSentence, sentenceOf } from './sentences.js';
import { showCard, typedMethod } from './stripe.js';

const fieldNames = ['number', 'expiry', 'cvc', ...billingNames, 'promoCode'];

/** @type {Record<string, string>} */
const every = {
  weekly: 'every week',
  monthly: 'every month',
  quarterly: 'every quarter',
  yearly: 'every year',
};

/** @param {any} checkout */
function summaryOf(checkout) {
  const { price, billingInterval, trialDays, kind } = checkout;
  const rate = price === null ? '' : `${money(checkout, price)}${perInterval(billingInterval)}`;
  if (trialDays > 0)
    return `${trialDays} ${trialDays === 1 ? 'day' : 'days'} free${rate === '' ? '' : `, then ${rate}`}. Nothing is charged today.`;
  if (kind === 'setup')
    return rate === '' ? 'Nothing is charged today.' : `${rate}. Nothing is charged today.`;
  return rate === '' ? '' : `${rate}.`;
}

/** What is charged later, how often, and how that ends. @param {any} checkout */
function termsOf({ nextCharge, organizationName }) {
  if (nextCharge === null) return '';
  const usage = nextCharge.isFinal ? '' : ' plus usage beyond what is included,';
  const renewal = every[nextCharge.billingInterval];
  const until =
    renewal === undefined ? '' : ` It renews ${renewal} until you cancel with ${organizationName}.`;
  return `Next charge: ${money(nextCharge, nextCharge.amount)}${usage} on ${day(nextCharge.date)}.${until}`;
}

/** Shows what is charged now: every amount in one currency. @param {any} checkout */
function showOrder(checkout) {
  const { lineItems, discountAmount, taxAmount, amountDue, isOfferConditional } = checkout;
  element('summary').textContent = `${summaryOf(checkout)} Billed to ${checkout.customerEmail}.`.trimStart();
  element('order').hidden = lineItems.length === 0;
  const charged = lineItems.filter((/** @type {any} */ line) => line.amount >= 0);
  element('lines').replaceChildren(
    ...charged.map((/** @type {any} */ line) =>
      tableRow(
        line.quantity > 1 ? `${line.description} × ${line.quantity}` : line.description,
        money(checkout, line.amount),
      ),
    ),
  );
  const totals = [];
  if (discountAmount > 0)
    totals.push(
      tableRow(
        isOfferConditional ? 'Discount, with an eligible card' : 'Discount',
        money(checkout, -discountAmount),
      ),
    );
  const isTaxOpen = checkout.requiresBillingCountry && typed('country') === '';
  if (isTaxOpen) totals.push(tableRow('Tax', 'Choose a country'));
  if (taxAmount > 0) totals.push(tableRow(taxLabel(checkout.tax), money(checkout, taxAmount)));
  totals.push(tableRow('Due now', money(checkout, amountDue)));
  element('totals').replaceChildren(...totals);
  element('pay').textContent =
    amountDue > 0 ? (isTaxOpen ? 'Pay' : `Pay ${money(checkout, amountDue)}`) : 'Save card';
  element('terms').textContent = isTaxOpen ? '' : termsOf(checkout);
}

/** The checkout as it was shown last. @type {any} */
let shown = null;

/** Counts the quotes asked for, so that a late answer does not replace a newer one. */
let asked = 0;

/**
 * Shows what would be charged with what is typed in so far, and the card fields of the account that would take it. A promo code that cannot be used is
 * told at once and left out. @param {string} promoCode
 */
async function quote(promoCode = typed('promoCode')) {
  if (shown === null || shown.nextStep !== 'pay') return;
  const turn = ++asked;
  const [country, state, taxDocument] = [typed('country'), typed('state'), typed('taxDocument')];
  const typedIn = {
    country: country || null,
    state: state || null,
    taxDocument: taxDocument || null,
    promoCode: promoCode || null,
  };
  try {
    const { checkoutQuote } = await run(quoteQuery, { input: { token, ...typedIn } });
    if (turn !== asked) return;
    warn(null);
    await showCard(checkoutQuote.publishableKey);
    element('hints').hidden = shown.livemode || checkoutQuote.publishableKey !== null;
    showOrder({ ...shown, ...checkoutQuote });
  } catch (error) {
    if (turn !== asked || !(error instanceof Refusal)) return;
    const isAboutCode = error.code === 'promo_code_not_found' || error.param === 'promoCode';
    if (isAboutCode) {
      markField('promoCode', promoSentence(error));
      return quote('');
    }
    complain(sentenceOf(error));
  }
}

/** @param {any} checkout @param {boolean} isNow */
function showCompleted(checkout, isNow) {
  show(null);
  warn(null);
  element('order').hidden = true;
  element('summary').textContent = '';
  const trial = checkout.trialEndsAt === null ? '' : ` Your trial runs until ${day(checkout.trialEndsAt)}.`;
  say(
    isNow
      ? `Thank you. ${checkout.name} is yours.${trial}`
      : 'This checkout has already been completed. Nothing more is charged here.',
    'done',
  );
  element('title').focus();
  leadBack(checkout, isNow);
}

/** Shows the checkout as the service has it. @param {any} checkout @param {boolean} isAfterPayment */
function render(checkout, isAfterPayment = false) {
  shown = checkout;
  document.title = `${checkout.name} – ${checkout.organizationName}`;
  showSeller(checkout);
  element('title').textContent = checkout.name;
  element('hints').hidden =
    checkout.livemode || checkout.status !== 'open' || checkout.publishableKey !== null;
  if (checkout.status === 'paid') return showCompleted(checkout, isAfterPayment);
  if (checkout.status === 'canceled') {
    show(null);
    element('order').hidden = true;
    element('summary').textContent = '';
    return say('This checkout was canceled. Ask the seller for a new link.');
  }
  demandCountry(checkout.requiresBillingCountry);
  showAuthentication(checkout.authentication);
  showOrder(checkout);
  say(
    checkout.nextStep === 'wait' ? 'The payment is under way. This page shows its outcome in a moment.' : '',
  );
  if (checkout.nextStep === 'wait') {
    show(null);
    setTimeout(load, 2_000);
  } else show(checkout.nextStep === 'authenticate' ? 'authentication' : 'payment');
  return undefined;
}

/** Says that nothing can be shown. @param {unknown} error */
function showNothing(error) {
  const isInvalid =
    error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'subscription_not_found');
  complain(
    isInvalid
      ? 'This link is not valid. Ask the seller for a new one.'
      : 'The checkout cannot be shown right now. Reload the page to try again.',
  );
}

/**
 * Reads the checkout and shows it, with what is typed in; what is shown stays where that fails. Answers whether there is still something to pay,
 * null when nobody knows. @param {any} answer what was answered to a payment that went through
 */
async function load(answer = null) {
  const isPaid = answer?.checkoutPay?.status === 'paid' || answer?.checkoutAuthenticate?.status === 'paid';
  try {
    const { checkout } = await run(checkoutQuery, { token, country: typed('country') || null });
    if (checkout.status === 'open') await showCard(checkout.publishableKey);
    render(checkout, isPaid);
  } catch (error) {
    say('');
    if (isPaid) render({ ...shown, status: 'paid' }, true);
    else if (shown === null) showNothing(error);
    else return null;
  }
  if (
    shown?.nextStep === 'pay' &&
    (typed('country') !== '' || typed('taxDocument') !== '' || typed('promoCode') !== '')
  )
    await quote();
  return shown?.status === 'open' && shown.nextStep !== 'wait';
}

/** What was typed in, as the service wants it; an address only when one was begun. */
async function typedPayment() {
  const address = payerAddress();
  return {
    token,
    ...(await typedMethod()),
    ...(address === null ? {} : { billingAddress: address }),
    ...(typed('taxDocument') === '' ? {} : { taxDocument: typed('taxDocument') }),
    ...(typed('promoCode') === '' ? {} : { promoCode: typed('promoCode') }),
  };
}

/** @param {() => Promise<any>} step */
const perform = (step) => attempt(fieldNames, step, load);

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

for (const name of ['country', 'state', 'taxDocument', 'promoCode'])
  input(name).addEventListener('change', () => {
    markField('promoCode', '');
    void quote();
  });

fillCountries();
void load();
