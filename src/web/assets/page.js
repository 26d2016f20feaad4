// What the hosted pages share: calls to the service, money, and the places for what is said.

const api = document.body.dataset.api ?? '/graphql';

/** The page's token, the last part of its address. */
export const token = decodeURIComponent(location.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '');

/** @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** A refusal of the service, with the code the page acts on. */
export class Refusal extends Error {
  /** @param {{ message: string, extensions?: { code?: string, details?: unknown, param?: string } }} error */
  constructor(error) {
    super(error.message);
    this.code = error.extensions?.code ?? 'internal_error';
    this.details = error.extensions?.details;
    this.param = error.extensions?.param;
  }
}

/**
 * Runs an operation. Throws a Refusal for what the service refuses and a TypeError when it cannot be reached.
 * @param {string} query @param {Record<string, unknown>} variables @param {Record<string, string>} headers
 */
export async function run(query, variables, headers = {}) {
  const response = await fetch(api, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors?.length > 0) throw new Refusal(errors[0]);
  return data;
}

/**
 * An amount in minor units as text. @param {{ currency: string, currencyDecimals: number }} of @param {number} minor
 */
export function money({ currency, currencyDecimals: decimals }, minor) {
  return new Intl.NumberFormat(document.documentElement.lang, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(minor / 10 ** decimals);
}

/** Says how things stand. @param {string} text @param {boolean} isDone */
export function say(text, isDone = false) {
  const status = element('status');
  status.textContent = text;
  status.classList.toggle('done', isDone);
}

/** Says what went wrong; null takes it back. @param {string | null} text */
export function warn(text) {
  const alert = element('alert');
  alert.textContent = text ?? '';
  alert.hidden = text === null;
}

/** Says what is wrong with a field; nothing when empty. @param {string} name @param {string} message */
export function markField(name, message) {
  input(name).setAttribute('aria-invalid', String(message !== ''));
  element(`${name}-problem`).textContent = message;
}

/** A row of an order: what it is, and what it costs. @param {string} label @param {string} amount */
export function tableRow(label, amount) {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = label;
  const cell = document.createElement('td');
  cell.textContent = amount;
  row.append(head, cell);
  return row;
}

/** Where the seller wants the payer to go; only web addresses are followed, others are null. @param {string | null} address */
export function returnAddress(address) {
  try {
    const url = new URL(address ?? '');
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** What stands in a field. @param {string} name */
export const typed = (name) => input(name).value.trim();

/** The billing address as the service wants it; null when none was begun. */
export function typedAddress() {
  const address = Object.fromEntries(['line1', 'city', 'postalCode', 'country', 'state'].map((name) => [name, typed(name)]));
  if (Object.values(address).every((value) => value === '')) return null;
  if (address.state === '') delete address.state;
  return { ...address, country: address.country.toUpperCase() };
}

/** The card as the service wants it, its expiry typed in as month and year. */
export function typedCard() {
  const [, month = '', year = ''] = /^(\d{1,2})\s*[/.-]?\s*(\d{4}|\d{2})$/.exec(typed('expiry')) ?? [];
  return {
    number: typed('number'),
    expMonth: Number(month),
    expYear: year.length === 2 ? 2_000 + Number(year) : Number(year),
    cvc: typed('cvc'),
  };
}

/** The page's field for a path of the service. @param {string} path */
export function fieldOf(path) {
  const name = path.split('.').at(-1) ?? '';
  return name === 'expMonth' || name === 'expYear' ? 'expiry' : name;
}

/** @type {Record<string, string>} */
const declines = {
  card_declined: 'The card was declined. Try again or use another card.',
  insufficient_funds: 'The card has insufficient funds. Try another card.',
  expired_card: 'The card has expired. Try another card.',
  authentication_failed: 'The payment was not confirmed. Try again or use another card.',
  authentication_required: 'The card wants a confirmation that cannot be given here. Use another card.',
};

/** What a payer is told of a declined card. @param {Refusal} refusal */
export function declineText({ details }) {
  const code = /** @type {{ declineCode?: string } | undefined} */ (details)?.declineCode ?? '';
  return declines[code] ?? 'The payment was declined. Try again or use another card.';
}
