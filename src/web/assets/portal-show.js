// What the portal shows of a subscription, its usage, its invoices and the billing details.

import { day, element, input, money, perInterval, returnAddress, typed, typedAddress } from './page.js';

/** The fields of the billing details, in their order on the page. */
export const billingNames = ['fullName', 'line1', 'postalCode', 'city', 'state', 'country', 'taxDocument'];

/** What a status is called, and whether it is good or bad news. @type {Record<string, string[]>} */
const statuses = {
  draft: ['Not started', ''],
  pending_payment: ['Waiting for payment', ''],
  trialing: ['Trial', 'good'],
  active: ['Active', 'good'],
  past_due: ['Payment overdue', 'bad'],
  canceled: ['Canceled', ''],
};

/** @type {Record<string, string>} */
const invoiceStatuses = {
  draft: 'In preparation',
  outstanding: 'To be paid',
  paid: 'Paid',
  void: 'Withdrawn',
  uncollectible: 'Unpaid',
};

/** What an address holds beyond the form, to be kept when it is saved. @type {Record<string, string>} */
let unasked = {};

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
  if (nextBillingDate !== null)
    facts.push([status === 'past_due' ? 'Next attempt' : 'Next payment', day(nextBillingDate)]);
  if (cancellation !== null) facts.push(['Ends on', day(cancellation.effectiveAt)]);
  else if (status === 'canceled' && endDate !== null) facts.push(['Ended on', day(endDate)]);
  else if (status === 'active' && billingInterval === 'one_time') facts.push(['Valid', 'For good']);
  if (scheduledPlanChange !== null) {
    const to =
      scheduledPlanChange.newPlanName ??
      (perInterval(scheduledPlanChange.newBillingInterval).trim() || 'another interval');
    facts.push(['Changes', `to ${to} on ${day(scheduledPlanChange.scheduledFor)}`]);
  }
  return facts;
}

/** @param {any} subscription */
export function showPlan(subscription) {
  const { status, billingInterval, price, name, cancellation, canCancel, canReactivate, checkoutUrl } =
    subscription;
  const [word, tone] = cancellation === null ? (statuses[status] ?? [status, '']) : ['Ends soon', 'bad'];
  element('plan-title').textContent = name;
  element('plan-status').textContent = word;
  element('plan-status').className = `badge ${tone}`;
  element('plan-price').textContent =
    price === null ? 'Free' : `${money(subscription, price)}${perInterval(billingInterval)}`;
  element('plan-facts').replaceChildren(
    ...factsOf(subscription).flatMap(([term, text]) => [made('dt', term), made('dd', text)]),
  );
  element('cancel').hidden = !canCancel;
  element('undo').hidden = cancellation === null;
  element('comeback').hidden = !canReactivate;
  const address = returnAddress(checkoutUrl);
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('complete'));
  link.hidden = address === null;
  if (address !== null) link.href = address;
  element('plan-actions').hidden =
    !canCancel &&
    !canReactivate &&
    cancellation === null &&
    address === null &&
    subscription.scheduledPlanChange === null;
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
  if (included === 0) return meter(name, `${number(current)} used`, null);
  const text =
    current > included
      ? `${number(current)} used, ${number(included)} included`
      : `${number(current)} of ${number(included)} used`;
  return meter(name, text, { value: current, max: included });
}

/** Amounts of a balance have four more decimals than whole units. @param {string} currency @param {number} rate */
const rateMoney = (currency, rate) => money({ currency, currencyDecimals: 2 }, rate / 100);

/** @param {any} subscription */
export function showUsage({ features, credits, balance }) {
  const items = features.map(featureItem);
  if (credits !== null) {
    const all = credits.included + credits.purchased;
    items.unshift(
      meter('Credits', `${number(credits.remaining)} left`, {
        value: credits.remaining,
        max: Math.max(all, credits.remaining),
      }),
    );
  }
  if (balance !== null) {
    const max = Math.max(balance.included, balance.remaining);
    items.unshift(
      meter('Balance', `${rateMoney(balance.currency, balance.remaining)} left`, {
        value: balance.remaining,
        max,
      }),
    );
  }
  element('features').replaceChildren(...items);
  element('usage').hidden = items.length === 0;
}

/** @param {any} invoice */
export function invoiceRow(invoice) {
  const row = made('tr');
  const head = /** @type {HTMLTableCellElement} */ (made('th'));
  head.scope = 'row';
  const link = /** @type {HTMLAnchorElement} */ (made('a', invoice.invoiceNumber));
  link.href = returnAddress(invoice.downloadUrl) ?? '';
  link.title = 'Download as PDF';
  link.download = '';
  head.append(link);
  const cells = [
    day(invoice.issueDate),
    invoiceStatuses[invoice.status] ?? invoice.status,
    money(invoice, invoice.total),
  ];
  row.append(head, ...cells.map((text) => made('td', text)));
  return row;
}

/** @param {any} customer */
export function showBilling({ fullName, email, taxDocument, documentType, address }) {
  const place =
    address === null
      ? []
      : [
          address.line1,
          address.line2,
          `${address.postalCode} ${address.city}`,
          address.state,
          address.country,
        ];
  const tax = taxDocument === null ? null : `${documentType ?? 'Tax number'} ${taxDocument}`;
  element('billing-summary').textContent = [fullName, email, ...place, tax].filter((line) => line).join('\n');
  unasked = Object.fromEntries(
    ['line2', 'region'].flatMap((name) => (address?.[name] ? [[name, address[name]]] : [])),
  );
  const values = { ...address, fullName, taxDocument };
  for (const name of billingNames) input(name).value = values[name] ?? '';
}

/** The billing details as they are typed in; what was emptied is null. */
export function typedBilling() {
  const address = typedAddress(['line1', 'city', 'postalCode', 'country']);
  return {
    fullName: typed('fullName'),
    address: address === null ? null : { ...unasked, ...address },
    taxDocument: typed('taxDocument') || null,
  };
}
