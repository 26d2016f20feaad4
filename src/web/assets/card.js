// The pages that ask for a card outside the checkout: to pay what keeps a subscription from running, or to replace the stored one.

import { onAnswer, showAuthentication } from './authentication.js';
import { payment, storing } from './card-documents.js';
import { once } from './intention.js';
import { day, element, money, Refusal, run, say, token } from './page.js';
import { attempt, complain, leadBack, leadTo, show } from './payment.js';
import { showSeller } from './seller.js';
import { showCard, typedMethod } from './stripe.js';

/** Whether the address is that of a payment; else a card is only stored. */
const isPayment = location.pathname.includes('/recover/');

const operations = isPayment ? payment : storing;

const fieldNames = ['number', 'expiry', 'cvc'];

/** The request as it was shown last. @type {any} */
let shown = null;

/** Says how it ended and leads back, or on to what is still to be paid. @param {any} request @param {string} text */
function finish(request, text) {
  show(null);
  element('summary').textContent = '';
  say(text, 'done');
  element('title').focus();
  const { amountOwed, paymentUrl, nextRetryAt } = request;
  if (amountOwed === null) return leadBack(request, false);
  const amount = money(request, amountOwed);
  element('summary').textContent =
    nextRetryAt === null
      ? `${amount} is still open.`
      : `${amount} is still open. It is charged to this card on ${day(nextRetryAt)}.`;
  return leadTo(paymentUrl, `Pay ${amount} now`);
}

/** When access ends unless what is owed is paid; nothing where that is not so. @param {any} request */
const deadline = ({ accessEndsAt }) =>
  accessEndsAt === null ? '' : ` Access ends on ${day(accessEndsAt)} unless it is paid before.`;

/** Shows what the service says. @param {any} request @param {boolean} isEnd */
function render(request, isEnd = false) {
  shown = request;
  document.title = `${request.name} – ${request.organizationName}`;
  showSeller(request);
  element('title').textContent = request.name;
  element('hints').hidden = request.livemode || request.status !== 'open' || request.publishableKey !== null;
  const amount = money(request, request.amountDue);
  element('summary').textContent = isPayment
    ? `${amount}, billed to ${request.customerEmail}.${deadline(request)}`
    : `The card for later charges, billed to ${request.customerEmail}. Nothing is charged today.`;
  element('pay').textContent = isPayment ? `Pay ${amount}` : 'Save card';
  showAuthentication(request.authentication);
  if (isEnd)
    return finish(
      request,
      isPayment ? 'Thank you. The payment has arrived.' : 'Thank you. The card is saved.',
    );
  if (request.status === 'paid')
    return finish(request, 'This has already been paid. Nothing more is charged here.');
  say('');
  if (request.status === 'open') return show(request.authentication === null ? 'payment' : 'authentication');
  show(null);
  element('summary').textContent = '';
  const isOver = request.subscriptionStatus === 'canceled';
  return say(
    `${isOver ? 'The subscription has ended. ' : ''}There is nothing to do here any more. Ask the seller for a new link.`,
  );
}

/** Whether a card did what it was for. @param {any} answer */
const isDone = (answer) => answer !== null && answer.request.authentication === null;

/**
 * Reads the request and shows it; what is shown stays where that fails. Answers whether there is still something to do, null when nobody knows.
 * @param {any} answer what was answered to a card that was taken
 */
async function load(answer = null) {
  try {
    const { request } = answer ?? (await run(operations.load, { token }));
    if (request.status === 'open' && answer === null) await showCard(request.publishableKey);
    render(request, isDone(answer));
  } catch (error) {
    say('');
    if (shown !== null) return null;
    const isInvalid =
      error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'subscription_not_found');
    complain(
      isInvalid
        ? 'This link is not valid. Ask the seller for a new one.'
        : 'The page cannot be shown right now. Reload it to try again.',
    );
  }
  return !isDone(answer) && shown?.status === 'open';
}

element('payment').addEventListener('submit', (event) => {
  event.preventDefault();
  return attempt(
    fieldNames,
    async () => once('pay', operations.submit, { token, ...(await typedMethod()) }),
    load,
  );
});
onAnswer((succeed, ask) =>
  attempt(
    fieldNames,
    async () => {
      await ask();
      return once('authenticate', operations.authenticate, { token, succeed });
    },
    load,
  ),
);

void load();
