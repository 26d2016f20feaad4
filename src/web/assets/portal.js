// The customer portal: shows what the session its address stands for may see, and takes what a customer may change. It keeps nothing.

import {
  declineText,
  element,
  input,
  markField,
  money,
  Refusal,
  returnAddress,
  run,
  say,
  token,
  typed,
  typedAddress,
  warn,
} from './page.js';
import { askForCard, showCardProblems, showMethod } from './portal-card.js';
import { showExtras, showOwed } from './portal-extras.js';
import { keepMutation, moveMutation, showMoves } from './portal-plan.js';

const invoiceFields = `pageInfo { hasNextPage endCursor } edges { node { invoiceNumber issueDate status total currency currencyDecimals downloadUrl } }`;

const counted = 'name type usage { current included unlimited }';

const portalQuery = `query Portal {
  portal {
    organizationName returnUrl livemode
    customer { email fullName taxDocument documentType address { line1 line2 city state postalCode country region } }
    subscription {
      name planName status billingInterval currency currencyDecimals price startDate endDate trialEndsAt nextBillingDate
      currentPeriod { end } cancellation { effectiveAt } scheduledPlanChange { newPlanName newBillingInterval scheduledFor } canCancel
      cancelsAtOnce credits { remaining included purchased } balance { remaining included currency } publishableKey paymentMethod { brand last4 expMonth expYear }
      checkoutUrl amountOwed canReactivate canPurchase canTopUp
      planOptions { planId planName billingInterval price currency timing amountDue effectiveDate }
      addons { id name } offeredAddons { id name description amountDue currency } creditPacks { id name credits amountDue currency }
      features {
        ... on SubscriptionBooleanFeature { name type enabled }
        ... on SubscriptionUsageFeature { ${counted} }
        ... on SubscriptionSeatsFeature { ${counted} }
        ... on SubscriptionQuotaFeature { ${counted} }
      }
    }
    invoices(first: 12) { ${invoiceFields} }
  }
}`;

const earlierQuery = `query Earlier($after: String!) { portal { invoices(first: 12, after: $after) { ${invoiceFields} } } }`;

const cancelMutation = `mutation Cancel($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }`;

const undoMutation = `mutation Undo($input: PortalSubscriptionUncancelInput!) { portalSubscriptionUncancel(input: $input) { status } }`;

const reactivateMutation = `mutation Reactivate($input: PortalSubscriptionReactivateInput!) { portalSubscriptionReactivate(input: $input) { status } }`;

const retryMutation = `mutation Retry($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }`;

const storeMutation = `mutation Store($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }`;

const billingMutation = `mutation Billing($input: PortalCustomerUpdateInput!) { portalCustomerUpdate(input: $input) { email } }`;

const billingNames = ['fullName', 'line1', 'postalCode', 'city', 'state', 'country', 'taxDocument'];

const rates = { weekly: ' per week', monthly: ' per month', quarterly: ' per quarter', yearly: ' per year', one_time: ', lifetime' };

/** What a status is called, and whether it is good or bad news. */
const statuses = {
  draft: ['Not started', ''],
  pending_payment: ['Waiting for payment', ''],
  trialing: ['Trial', 'good'],
  active: ['Active', 'good'],
  past_due: ['Payment overdue', 'bad'],
  canceled: ['Canceled', ''],
};

const invoiceStatuses = { draft: 'In preparation', outstanding: 'To be paid', paid: 'Paid', void: 'Withdrawn', uncollectible: 'Unpaid' };

/** Where the list of invoices goes on; null at its end. @type {string | null} */
let earlier = null;

/** What an address holds beyond the form, to be kept when it is saved. @type {Record<string, string>} */
let unasked = {};

/** @param {string} query @param {Record<string, unknown>} variables */
const ask = (query, variables = {}) => run(query, variables, { Authorization: `Bearer ${token}` });

/** A day as text; billing counts in UTC. @param {string} instant */
const day = (instant) => new Date(instant).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium', timeZone: 'UTC' });

/** @param {number} count */
const number = (count) => count.toLocaleString(document.documentElement.lang);

/** @param {string} name @param {string} text @param {string} className */
function made(name, text = '', className = '') {
  const node = document.createElement(name);
  node.textContent = text;
  if (className !== '') node.className = className;
  return node;
}

/** The dates worth knowing, as term and text. @param {any} subscription @returns {[string, string][]} */
function factsOf({
  name,
  planName,
  status,
  startDate,
  endDate,
  trialEndsAt,
  nextBillingDate,
  cancellation,
  scheduledPlanChange,
  billingInterval,
}) {
  /** @type {[string, string][]} */
  const facts = [];
  if (name !== planName) facts.push(['Plan', planName]);
  if (status === 'draft') facts.push(['Starts on', day(startDate)]);
  if (status === 'trialing' && trialEndsAt !== null) facts.push(['Trial until', day(trialEndsAt)]);
  if (nextBillingDate !== null) facts.push([status === 'past_due' ? 'Next attempt' : 'Next payment', day(nextBillingDate)]);
  if (cancellation !== null) facts.push(['Ends on', day(cancellation.effectiveAt)]);
  else if (status === 'canceled' && endDate !== null) facts.push(['Ended on', day(endDate)]);
  else if (status === 'active' && billingInterval === 'one_time') facts.push(['Valid', 'For good']);
  if (scheduledPlanChange !== null) {
    const to = scheduledPlanChange.newPlanName ?? rates[scheduledPlanChange.newBillingInterval]?.trim() ?? 'another interval';
    facts.push(['Changes', `to ${to} on ${day(scheduledPlanChange.scheduledFor)}`]);
  }
  return facts;
}

/** @param {any} subscription */
function showPlan(subscription) {
  const { status, billingInterval, price, name, cancellation, canCancel, canReactivate, checkoutUrl } = subscription;
  const [word, tone] = cancellation === null ? (statuses[status] ?? [status, '']) : ['Ends soon', 'bad'];
  element('plan-title').textContent = name;
  element('plan-status').textContent = word;
  element('plan-status').className = `badge ${tone}`;
  element('plan-price').textContent = price === null ? 'Free' : `${money(subscription, price)}${rates[billingInterval] ?? ''}`;
  element('plan-facts').replaceChildren(...factsOf(subscription).flatMap(([term, text]) => [made('dt', term), made('dd', text)]));
  element('cancel').hidden = !canCancel;
  element('undo').hidden = cancellation === null;
  element('comeback').hidden = !canReactivate;
  const address = returnAddress(checkoutUrl);
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('complete'));
  link.hidden = address === null;
  if (address !== null) link.href = address;
  element('plan-actions').hidden =
    !canCancel && !canReactivate && cancellation === null && address === null && subscription.scheduledPlanChange === null;
}

/** A line with a bar of how much of it is gone; without a bar where nothing limits it. @param {string} label @param {string} text @param {{ value: number, max: number } | null} bar */
function meter(label, text, bar) {
  const item = made('li');
  const line = made('div', '', 'line');
  line.append(made('span', label), made('span', text));
  item.append(line);
  if (bar !== null && bar.max > 0) {
    const progress = /** @type {HTMLProgressElement} */ (document.createElement('progress'));
    progress.max = bar.max;
    progress.value = Math.min(Math.max(bar.value, 0), bar.max);
    progress.setAttribute('aria-label', label);
    item.append(progress);
  }
  return item;
}

/** @param {any} feature */
function featureItem({ name, type, enabled, usage }) {
  if (type === 'boolean') return meter(name, enabled ? 'Included' : 'Not included', null);
  const { current, included, unlimited } = usage;
  if (unlimited) return meter(name, `${number(current)} used, unlimited`, null);
  return meter(name, `${number(current)} of ${number(included)} used`, { value: current, max: included });
}

/** Amounts of a balance have four more decimals than whole units. @param {string} currency @param {number} rate */
const rateMoney = (currency, rate) => money({ currency, currencyDecimals: 2 }, rate / 100);

/** @param {any} subscription */
function showUsage({ features, credits, balance }) {
  const items = features.map(featureItem);
  if (credits !== null) {
    const all = credits.included + credits.purchased;
    items.unshift(
      meter('Credits', `${number(credits.remaining)} left`, { value: credits.remaining, max: Math.max(all, credits.remaining) }),
    );
  }
  if (balance !== null) {
    const max = Math.max(balance.included, balance.remaining);
    items.unshift(meter('Balance', `${rateMoney(balance.currency, balance.remaining)} left`, { value: balance.remaining, max }));
  }
  element('features').replaceChildren(...items);
  element('usage').hidden = items.length === 0;
}

/** @param {any} invoice */
function invoiceRow(invoice) {
  const row = made('tr');
  const head = /** @type {HTMLTableCellElement} */ (made('th'));
  head.scope = 'row';
  const link = /** @type {HTMLAnchorElement} */ (made('a', invoice.invoiceNumber));
  link.href = returnAddress(invoice.downloadUrl) ?? '';
  link.title = 'Download as PDF';
  link.download = '';
  head.append(link);
  const cells = [day(invoice.issueDate), invoiceStatuses[invoice.status] ?? invoice.status, money(invoice, invoice.total)];
  row.append(head, ...cells.map((text) => made('td', text)));
  return row;
}

/** Adds a page of invoices to those shown. @param {any} page */
function addInvoices({ edges, pageInfo }) {
  element('invoice-rows').append(...edges.map((/** @type {any} */ { node }) => invoiceRow(node)));
  const isEmpty = element('invoice-rows').childElementCount === 0;
  element('invoices').hidden = isEmpty;
  element('no-invoices').hidden = !isEmpty;
  element('more').hidden = !pageInfo.hasNextPage;
  earlier = pageInfo.hasNextPage ? pageInfo.endCursor : null;
}

/** @param {any} customer */
function showBilling({ fullName, email, taxDocument, documentType, address }) {
  const place =
    address === null ? [] : [address.line1, address.line2, `${address.postalCode} ${address.city}`, address.state, address.country];
  const tax = taxDocument === null ? null : `${documentType ?? 'Tax number'} ${taxDocument}`;
  element('billing-summary').textContent = [fullName, email, ...place, tax].filter((line) => line).join('\n');
  unasked = Object.fromEntries(['line2', 'region'].flatMap((name) => (address?.[name] ? [[name, address[name]]] : [])));
  const values = { ...address, fullName, taxDocument };
  for (const name of billingNames) input(name).value = values[name] ?? '';
}

/** Shows the portal as the service has it. @param {any} portal */
function render(portal) {
  const { organizationName, returnUrl, customer, subscription, livemode } = portal;
  document.title = `Your subscription – ${organizationName}`;
  element('seller').textContent = livemode ? organizationName : `${organizationName} · sandbox`;
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
  showMoves(subscription, { currencyDecimals: subscription?.currencyDecimals ?? 2 }, day, move);
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

/** Hides everything of a session that has ended. */
function showEnded() {
  element('content').hidden = true;
  element('customer').textContent = '';
  say('');
  warn('This link has ended. Go back to the seller to open a new one.');
}

/** Shows a refusal where it belongs. @param {unknown} error */
function showRefusal(error) {
  if (!(error instanceof Refusal)) return warn('The service cannot be reached. Nothing was changed; try again.');
  if (error.code === 'unauthorized') return showEnded();
  if (error.code === 'charge_failed') return warn(declineText(error));
  if (error.code === 'rate_limited') return warn('You have tried three times today. Please try again tomorrow.');
  if (showCardProblems(error)) return undefined;
  const problems = Array.isArray(error.details) ? error.details : [];
  const placed = problems
    .map(({ field, message }) => ({ name: field.split('.').at(-1), message }))
    .filter(({ name }) => billingNames.includes(name));
  if (placed.length === 0) return warn(error.message);
  for (const { name, message } of placed) markField(name, message.charAt(0).toUpperCase() + message.slice(1));
  return input(placed[0].name).focus();
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  for (const button of document.querySelectorAll('button')) button.disabled = isBusy;
  document.body.setAttribute('aria-busy', String(isBusy));
}

/** Does something with the page locked, then says how it went. @param {() => Promise<unknown>} step @param {string} done */
async function attempt(step, done) {
  warn(null);
  for (const name of billingNames) markField(name, '');
  setBusy(true);
  say('Working …');
  try {
    await step();
    say(done, true);
  } catch (error) {
    say('');
    showRefusal(error);
  } finally {
    setBusy(false);
  }
}

/** Reads the portal and shows it. */
async function load() {
  const { portal } = await ask(portalQuery);
  render(portal);
  return portal;
}

/** Changes something and shows the portal as it then is. @param {string} mutation @param {Record<string, unknown>} changes @param {string} done */
const change = (mutation, changes, done) =>
  attempt(async () => {
    await ask(mutation, { input: changes });
    const { subscription } = await load();
    element('title').focus();
    return subscription;
  }, done);

const confirmation = /** @type {HTMLDialogElement} */ (document.getElementById('confirmation'));
const reason = /** @type {HTMLTextAreaElement} */ (document.getElementById('reason'));

element('cancel').addEventListener('click', () =>
  attempt(async () => {
    // What is true now decides what the question says.
    const { subscription } = await load();
    if (!subscription?.canCancel) return;
    const end =
      subscription.trialEndsAt !== null && subscription.status === 'trialing' ? subscription.trialEndsAt : subscription.currentPeriod?.end;
    element('confirmation-text').textContent =
      subscription.cancelsAtOnce || end === undefined
        ? 'Your access ends at once. This cannot be undone here.'
        : `You keep access until ${day(end)}, and nothing more is charged. Until then you can change your mind.`;
    confirmation.showModal();
  }, ''),
);
element('keep').addEventListener('click', () => confirmation.close());
element('confirm').addEventListener('click', () => {
  confirmation.close();
  const why = reason.value.trim();
  return change(cancelMutation, why === '' ? {} : { reason: why }, 'Your cancellation is noted.');
});
/** Pays what is owed; with a card that is typed in when asked to. @param {boolean} isOtherCard */
function pay(isOtherCard) {
  const done = 'Thank you. The payment has arrived.';
  if (!isOtherCard) return change(retryMutation, {}, done);
  return askForCard('Pay with another card', 'It takes the place of your present card.', 'Pay now', (method) =>
    change(retryMutation, method, done),
  );
}

/** Buys something; without a stored card one is asked for first. @param {string} mutation @param {Record<string, unknown>} what @param {string} done @param {boolean} needsCard */
function buy(mutation, what, done, needsCard) {
  if (!needsCard) return change(mutation, what, done);
  return askForCard('Your card', 'It is kept for later payments.', 'Pay now', (method) => change(mutation, { ...what, ...method }, done));
}

/** Moves to another plan; where it is to be paid first, goes there. @param {Record<string, unknown>} what */
const move = (what) =>
  attempt(async () => {
    const { portalPlanChange } = await ask(moveMutation, { input: what });
    const address = returnAddress(portalPlanChange.checkoutUrl);
    if (address === null) await load();
    else location.assign(address);
    element('title').focus();
  }, 'Your change is noted.');

element('keep-plan').addEventListener('click', () => change(keepMutation, {}, 'Your plan stays as it is.'));
element('replace-card').addEventListener('click', () =>
  askForCard('Another card', 'Later payments are charged to it. Nothing is charged today.', 'Save card', (method) =>
    change(storeMutation, method, 'Your card is saved.'),
  ),
);
element('comeback').addEventListener('click', () => change(reactivateMutation, {}, 'Welcome back. Your subscription runs again.'));
element('undo').addEventListener('click', () => change(undoMutation, {}, 'Your subscription goes on.'));
element('more').addEventListener('click', () =>
  attempt(async () => addInvoices((await ask(earlierQuery, { after: earlier })).portal.invoices), ''),
);
element('billing-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const address = typedAddress();
  const taxDocument = typed('taxDocument');
  const details = {
    fullName: typed('fullName'),
    ...(address === null ? {} : { address: { ...unasked, ...address } }),
    ...(taxDocument === '' ? {} : { taxDocument }),
  };
  return change(billingMutation, details, 'Your billing details are saved.');
});

attempt(load, '');
