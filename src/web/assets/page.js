// What the hosted pages share: calls to the service, money, and the places for what is said.

const api = document.body.dataset.api ?? '/graphql';

/** The page's token, the last part of its address. */
export const token = decodeURIComponent(location.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '');

/** @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** A rejection by the service, with the code the page acts on. */
export class Refusal extends Error {
  /** @param {{ message: string, extensions?: { code?: string, details?: unknown, param?: string } }} error */
  constructor(error) {
    super(error.message);
    this.code = error.extensions?.code ?? 'internal_error';
    this.details = error.extensions?.details;
    this.param = error.extensions?.param;
  }
}

/** No answer came that says whether the request was carried out: nobody knows what became of it. */
export class NoAnswer extends Error {}

/** How long an answer is waited for. */
const patienceMs = 30_000;

/**
 * Runs an operation. Throws a Refusal for what the service rejects, and NoAnswer when none comes in time or it cannot be read.
 * @param {string} query @param {Record<string, unknown>} variables @param {Record<string, string>} headers
 */
export async function run(query, variables, headers = {}) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patienceMs);
  /** @type {any} */
  let answer;
  try {
    const response = await fetch(api, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
      signal: giveUp.signal,
    });
    answer = await response.json();
  } catch {
    throw new NoAnswer();
  } finally {
    clearTimeout(timer);
  }
  const [error] = answer?.errors ?? [];
  if (error?.extensions?.status >= 500) throw new NoAnswer();
  if (error !== undefined) throw new Refusal(error);
  if (answer?.data == null) throw new NoAnswer();
  return answer.data;
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

/** A day as text; billing counts in UTC. @param {string} instant */
export const day = (instant) =>
  new Date(instant).toLocaleDateString(document.documentElement.lang, {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });

/** @type {Record<string, string>} */
const rates = {
  weekly: ' per week',
  monthly: ' per month',
  quarterly: ' per quarter',
  yearly: ' per year',
  one_time: ' once',
};

/** What follows a price that is charged at an interval. @param {string | null} interval */
export const perInterval = (interval) => rates[interval ?? ''] ?? '';

/** Says how things stand; while something is being done, only to screen readers, so that nothing moves. @param {string} text @param {'' | 'done' | 'working'} kind */
export function say(text, kind = '') {
  const status = element('status');
  status.textContent = text;
  status.className = `status ${kind}`;
}

/**
 * Says what went wrong, before a place of the page, in view and focused. Null takes it back.
 * @param {string | null} text @param {Element | null} place
 */
export function warn(text, place = null) {
  const alert = element('alert');
  alert.textContent = text ?? '';
  alert.hidden = text === null;
  if (text === null) return;
  if (place !== null) place.before(alert);
  alert.focus({ preventScroll: true });
  alert.scrollIntoView({ block: 'center' });
}

/** Says what is wrong with a field; nothing when empty. @param {string} name @param {string} message */
export function markField(name, message) {
  input(name).setAttribute('aria-invalid', String(message !== ''));
  element(`${name}-problem`).textContent = message;
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

/** The billing address as the service wants it, with what is needed of it also where that is empty; null when none was begun. @param {string[]} needed */
export function typedAddress(needed) {
  const values = ['line1', 'city', 'postalCode', 'country', 'state'].map((name) => [name, typed(name)]);
  if (values.every(([, value]) => value === '')) return null;
  return Object.fromEntries(values.filter(([name = '', value]) => value !== '' || needed.includes(name)));
}

/** Fills the list of countries with their names, in the language of the page. */
export function fillCountries() {
  const { lang } = document.documentElement;
  const names = new Intl.DisplayNames(lang, { type: 'region' });
  const select = /** @type {HTMLSelectElement} */ (document.getElementById('country'));
  const countries = (select.dataset.countries ?? '')
    .split(' ')
    .map((code) => ({ code, name: names.of(code) ?? code }));
  countries.sort((a, b) => a.name.localeCompare(b.name, lang));
  select.append(...countries.map(({ code, name }) => new Option(name, code)));
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
