// The customer portal: shows what the session of its address may see, and takes what a customer may change. It keeps nothing.

import { onAnswer, showAuthentication } from './authentication.js';
import { once } from './intention.js';
import {
  day,
  element,
  fillCountries,
  input,
  markField,
  money,
  NoAnswer,
  Refusal,
  returnAddress,
  run,
  say,
  token,
  warn,
} from './page.js';
import { askFirst } from './portal-ask.js';
import { askForCard, showMethod } from './portal-card.js';
import {
  authenticateMutation,
  billingMutation,
  cancelMutation,
  earlierQuery,
  keepMutation,
  moveMutation,
  portalQuery,
  previewQuery,
  reactivateMutation,
  retryMutation,
  storeMutation,
  undoMutation,
} from './portal-documents.js';
import { showExtras, showOwed } from './portal-extras.js';
import { showMoves } from './portal-plan.js';
import { cancelText, costText } from './portal-preview.js';
import { billingNames, invoiceRow, showBilling, showPlan, showUsage, typedBilling } from './portal-show.js';
import { showSeller } from './seller.js';
import { fieldSentence, sentenceOf, unknownOutcome, unreachable } from './sentences.js';

/** Where the list of invoices goes on; null at its end. @type {string | null} */
let earlier = null;

/** Tells whose portal it is. */
const session = { Authorization: `Bearer ${token}` };

/** @param {string} query @param {Record<string, unknown>} variables */
const ask = (query, variables = {}) => run(query, variables, session);

/** Adds a page of invoices to those shown. @param {any} page */
function addInvoices({ edges, pageInfo }) {
  element('invoice-rows').append(...edges.map((/** @type {any} */ { node }) => invoiceRow(node)));
  const isEmpty = element('invoice-rows').childElementCount === 0;
  element('invoices').hidden = isEmpty;
  element('no-invoices').hidden = !isEmpty;
  element('more').hidden = !pageInfo.hasNextPage;
  earlier = pageInfo.hasNextPage ? pageInfo.endCursor : null;
}

/** Shows the portal as the service has it. @param {any} portal */
function render(portal) {
  const { organizationName, returnUrl, customer, subscription, livemode } = portal;
  document.title = `Your subscription – ${organizationName}`;
  showSeller(portal, livemode ? '' : ' · sandbox');
  element('customer').textContent = customer.email;
  element('no-plan').hidden = subscription !== null;
  if (subscription === null) {
    element('plan-title').textContent = 'No subscription';
    element('plan-status').className = 'hidden';
    element('plan-status').textContent = '';
    element('plan-price').textContent = '';
    element('plan-facts').replaceChildren();
    element('plan-actions').hidden = true;
  } else showPlan(subscription);
  showUsage(subscription ?? { features: [], credits: null, balance: null });
  showMethod(subscription);
  showOwed(subscription, pay);
  showExtras(subscription, buy);
  showMoves(subscription, { currencyDecimals: subscription?.currencyDecimals ?? 2 }, move);
  element('invoice-rows').replaceChildren();
  addInvoices(portal.invoices);
  showBilling(customer);
  const address = returnAddress(returnUrl);
  element('return').hidden = address === null;
  if (address !== null) {
    const link = /** @type {HTMLAnchorElement} */ (document.getElementById('return-link'));
    link.href = address;
    link.textContent = `Back to ${organizationName}`;
  }
  element('content').hidden = false;
}

/** The part of the page something was last done in. @type {Element | null} */
let origin = null;
for (const kind of ['click', 'submit'])
  document.addEventListener(
    kind,
    ({ target }) => {
      // What is done in a dialog was begun where the dialog was opened.
      const at = /** @type {Element} */ (target);
      if (at.closest('dialog') === null) origin = at.closest('section') ?? origin;
    },
    { capture: true },
  );

/** Says what went wrong at the end of the part it was done in. @param {string} text */
function complain(text) {
  if (element('content').hidden || origin === null || /** @type {HTMLElement} */ (origin).hidden)
    return warn(text, element('content'));
  origin.append(element('alert'));
  return warn(text);
}

/** Hides everything of a session that has ended. */
function showEnded() {
  element('content').hidden = true;
  element('customer').textContent = '';
  say('');
  complain('This link has ended. Go back to the seller to open a new one.');
}

/** What a customer reads about an error. @param {unknown} error */
function sentenceFor(error) {
  if (error instanceof NoAnswer) return unknownOutcome;
  if (!(error instanceof Refusal)) throw error;
  return sentenceOf(error);
}

/** Says what went wrong where it belongs. @param {unknown} error */
function showRefusal(error) {
  if (error instanceof Refusal && error.code === 'unauthorized') return showEnded();
  const details =
    error instanceof Refusal && error.code === 'validation_error' && Array.isArray(error.details)
      ? error.details
      : [];
  const names = details
    .map(({ field }) => field.split('.').at(-1))
    .filter((name) => billingNames.includes(name));
  if (names.length === 0) return complain(sentenceFor(error));
  for (const name of names) markField(name, fieldSentence(name));
  return input(billingNames.find((name) => names.includes(name)) ?? '').focus();
}

let isBusy = false;

/** @param {boolean} busy */
function setBusy(busy) {
  isBusy = busy;
  for (const button of document.querySelectorAll('button')) button.disabled = busy;
  document.body.setAttribute('aria-busy', String(busy));
}

/** The portal as it was shown last. @type {any} */
let shown = null;

/** Reads the portal and shows it. */
async function load() {
  const { portal } = await ask(portalQuery);
  shown = portal;
  render(portal);
  return portal;
}

/**
 * Does something with the page locked, shows the portal again, and says how it went. Answers what went wrong, null when nothing did.
 * @param {() => Promise<unknown>} step @param {string} done @param {(error: unknown) => unknown} report
 */
async function attempt(step, done, report = showRefusal) {
  if (isBusy) return null;
  warn(null);
  for (const name of billingNames) markField(name, '');
  setBusy(true);
  say('Working …', 'working');
  let problem = null;
  try {
    await step();
  } catch (error) {
    problem = error;
  }
  // What is true after the attempt is shown, however it went.
  await load().catch((error) => {
    if (shown === null || (error instanceof Refusal && error.code === 'unauthorized')) problem ??= error;
  });
  setBusy(false);
  const isDone = problem === null && !askBank();
  say(isDone ? done : '', isDone ? 'done' : '');
  if (problem !== null) report(problem);
  else if (isDone && done !== '') element('title').focus();
  return problem;
}

const bankDialog = /** @type {HTMLDialogElement} */ (document.getElementById('bank-dialog'));

/** What the customer has agreed to buy as soon as the bank has confirmed the card. @type {(() => unknown) | null} */
let afterBank = null;

/** Asks for what the bank wants confirmed; false when it wants nothing. */
function askBank() {
  const authentication = shown?.subscription?.authentication ?? null;
  showAuthentication(authentication);
  element('authentication').hidden = authentication === null;
  if (authentication === null) bankDialog.close();
  else if (!bankDialog.open) bankDialog.showModal();
  return authentication !== null;
}

onAnswer(async (succeed, ask) => {
  const isPayment = shown.subscription.authentication.amount > 0;
  bankDialog.close();
  const answer = async () => {
    await ask();
    return send(authenticateMutation, { succeed });
  };
  const problem = await attempt(
    answer,
    isPayment ? 'Thank you. The payment has arrived.' : 'Your card is saved.',
  );
  if (shown.subscription?.authentication != null) return;
  const next = afterBank;
  afterBank = null;
  if (problem === null) next?.();
});

/** Changes something once. @param {string} mutation @param {Record<string, unknown>} changes */
const send = (mutation, changes) =>
  once(/mutation (\w+)/.exec(mutation)?.[1] ?? '', mutation, changes, session);

/** Changes something and shows the portal again. @param {string} mutation @param {Record<string, unknown>} changes @param {string} done @param {(error: unknown) => unknown} report */
const change = (mutation, changes, done, report = showRefusal) =>
  attempt(() => send(mutation, changes), done, report);

/**
 * What an action would lead to, by what is true now; null where that is unknown, which the page says.
 * @param {string} action @param {Record<string, unknown>} what
 */
async function previewOf(action, what = {}) {
  /** @type {any} */
  let preview = null;
  await attempt(
    async () => {
      preview = (await ask(previewQuery, { action: { [action]: what } })).portalPreview;
    },
    '',
    (error) => (error instanceof NoAnswer ? complain(unreachable) : showRefusal(error)),
  );
  return preview;
}

const confirmation = /** @type {HTMLDialogElement} */ (document.getElementById('confirmation'));
const reason = /** @type {HTMLTextAreaElement} */ (document.getElementById('reason'));

element('cancel').addEventListener('click', async () => {
  const preview = await previewOf('cancel');
  if (preview === null) return;
  element('confirmation-text').textContent = cancelText(preview, shown.subscription.cancelsAtOnce);
  confirmation.showModal();
});
element('keep').addEventListener('click', () => confirmation.close());
element('cancel-confirm').addEventListener('click', () => {
  confirmation.close();
  const why = reason.value.trim();
  return change(cancelMutation, why === '' ? {} : { reason: why }, 'Your cancellation is noted.');
});

/** Pays what is owed; with a card that is typed in when asked to. @param {boolean} isOtherCard */
function pay(isOtherCard) {
  const done = 'Thank you. The payment has arrived.';
  if (!isOtherCard) return change(retryMutation, {}, done);
  return askForCard(
    'Pay with another card',
    'It takes the place of your present card.',
    'Pay now',
    (method, report) => change(retryMutation, method, done, report),
  );
}

/**
 * Buys something once the customer has agreed to what it costs; without a stored card one is asked for in the same dialog.
 * @param {import('./portal-extras.js').Purchase} purchase
 */
async function buy({ mutation, action, what, title, label, done }) {
  const preview = await previewOf(action, what);
  if (preview === null) return undefined;
  const card = shown.subscription.paymentMethod;
  const text = costText(preview, card);
  const pay = preview.amountDue > 0 ? `Pay ${money(preview, preview.amountDue)}` : label;
  const go = async (/** @type {Record<string, unknown>} */ method, report = showRefusal) => {
    const problem = await change(mutation, { ...what, ...method }, done, report);
    // A card the bank wants confirmed is stored first; what was agreed to is bought afterwards, with that card.
    if (problem === null && shown.subscription?.authentication != null) afterBank = () => go({});
    else if (problem === null) input('topup').value = '';
    return problem;
  };
  return card === null && preview.amountDue > 0
    ? askForCard(title, text, pay, go)
    : askFirst(title, text, pay, () => go({}));
}

/** Moves to another plan once the customer has agreed; where it is to be paid first, goes there. @param {any} option @param {string} price */
async function move({ planId, planName, billingInterval, timing, effectiveDate }, price) {
  const what = { planId, billingInterval: billingInterval === 'one_time' ? null : billingInterval };
  const preview = await previewOf('planChange', what);
  if (preview === null) return;
  const when =
    timing === 'scheduled' ? `The plan changes on ${day(effectiveDate)}.` : 'The plan changes at once.';
  askFirst(
    `Change to ${planName}?`,
    `${price}. ${when} ${costText(preview, shown.subscription.paymentMethod)}`,
    'Change plan',
    () =>
      attempt(async () => {
        const { portalPlanChange } = await send(moveMutation, what);
        const address = returnAddress(portalPlanChange.checkoutUrl);
        if (address !== null) location.assign(address);
      }, 'Your change is noted.'),
  );
}

/**
 * Does something that goes on with the subscription once the customer has agreed to what is charged for it.
 * @param {string} action @param {string} mutation @param {string} title @param {string} label @param {string} done
 */
async function goOn(action, mutation, title, label, done) {
  const preview = await previewOf(action);
  if (preview !== null)
    askFirst(title, costText(preview, shown.subscription.paymentMethod), label, () =>
      change(mutation, {}, done),
    );
}

element('keep-plan').addEventListener('click', () =>
  goOn(
    'scheduledChangeRevoke',
    keepMutation,
    'Keep your present plan?',
    'Keep it',
    'Your plan stays as it is.',
  ),
);
element('replace-card').addEventListener('click', () =>
  askForCard(
    'Another card',
    'Later payments are charged to it. Nothing is charged today.',
    'Save card',
    (method, report) => change(storeMutation, method, 'Your card is saved.', report),
  ),
);
element('comeback').addEventListener('click', () =>
  goOn(
    'reactivate',
    reactivateMutation,
    'Start again?',
    'Start again',
    'Welcome back. Your subscription runs again.',
  ),
);
element('undo').addEventListener('click', () =>
  goOn('uncancel', undoMutation, 'Keep your subscription?', 'Keep it', 'Your subscription goes on.'),
);
element('more').addEventListener('click', async () => {
  if (isBusy) return;
  warn(null);
  setBusy(true);
  try {
    addInvoices((await ask(earlierQuery, { after: earlier })).portal.invoices);
  } catch (error) {
    showRefusal(error);
  } finally {
    setBusy(false);
  }
});
element('billing-form').addEventListener('submit', (event) => {
  event.preventDefault();
  return change(billingMutation, typedBilling(), 'Your billing details are saved.');
});

fillCountries();
void attempt(async () => undefined, '');
