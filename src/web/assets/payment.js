// What the pages share at which money is paid: their parts, a step with the page locked, what is wrong with a field, and the way back to the seller.

import {
  element,
  fieldOf,
  input,
  markField,
  NoAnswer,
  Refusal,
  returnAddress,
  say,
  typedAddress,
  warn,
} from './page.js';
import { fieldSentence, promoSentence, sentenceOf, unknownOutcome } from './sentences.js';
import { StripeProblem } from './stripe.js';

/** The fields of the billing address and the tax number. */
export const billingNames = ['line1', 'postalCode', 'city', 'state', 'country', 'taxDocument'];

const part = (/** @type {string} */ id) => /** @type {HTMLElement | null} */ (document.getElementById(id));

/** Opens the billing address where the country has to be known. @param {boolean} isNeeded */
export function demandCountry(isNeeded) {
  /** @type {HTMLSelectElement} */ (document.getElementById('country')).required = isNeeded;
  if (isNeeded) /** @type {HTMLDetailsElement} */ (document.getElementById('billing')).open = true;
}

/** The billing address typed in at a page where money is paid, which needs no more than the country; null when none was begun. */
export const payerAddress = () => typedAddress(['country']);

/** Shows one part of the page and hides the others. @param {'payment' | 'authentication' | null} shown */
export function show(shown) {
  for (const id of ['payment', 'authentication']) {
    const node = part(id);
    if (node !== null) node.hidden = id !== shown;
  }
}

let isBusy = false;

/** Locks the form and the answers to the bank, or opens them again. @param {boolean} busy */
function setBusy(busy) {
  isBusy = busy;
  /** @type {HTMLFieldSetElement} */ (document.getElementById('fields')).disabled = busy;
  for (const id of ['confirm', 'reject']) {
    const button = /** @type {HTMLButtonElement | null} */ (document.getElementById(id));
    if (button !== null) button.disabled = busy;
  }
  document.body.setAttribute('aria-busy', String(busy));
}

/** Says what went wrong beside the button that is shown, in view. @param {string} text */
export function complain(text) {
  const bank = part('authentication');
  if (bank !== null && !bank.hidden) return warn(text, element('confirm').parentElement);
  return warn(text, element('payment').hidden ? element('payment') : element('pay'));
}

/** Says what is wrong beside the fields of the page, else at the button. @param {string[]} names @param {{ field: string, message?: string }[]} problems */
function markFirst(names, problems) {
  let first = null;
  let isUnplaced = false;
  for (const { field, message } of problems) {
    const name = fieldOf(field);
    if (!names.includes(name)) {
      isUnplaced = true;
      continue;
    }
    if (billingNames.includes(name))
      /** @type {HTMLDetailsElement} */ (document.getElementById('billing')).open = true;
    markField(name, message ?? fieldSentence(name));
    if (first === null || names.indexOf(name) < names.indexOf(first)) first = name;
  }
  if (isUnplaced) complain(sentenceOf({ code: 'validation_error' }));
  if (first !== null) input(first).focus();
}

/** Says what went wrong: beside the fields it is about, else at the button. @param {unknown} error @param {string[]} names */
function explain(error, names) {
  if (error instanceof NoAnswer) return complain(unknownOutcome);
  if (error instanceof StripeProblem) return complain(error.message);
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'promo_code_not_found' || error.param === 'promoCode')
    return markFirst(names, [{ field: 'promoCode', message: promoSentence(error) }]);
  const details = error.code === 'validation_error' && Array.isArray(error.details) ? error.details : [];
  if (details.length > 0)
    return markFirst(
      names,
      details.map(({ field }) => ({ field })),
    );
  return complain(sentenceOf(error));
}

/**
 * Carries out a step with the page locked and shows the page again as the service has it; what went wrong is said afterwards, unless there is
 * nothing left to do. `load` gets what the step answered, null when it failed, and tells whether there is: true, false, or null when that could
 * not be read.
 * @param {string[]} names @param {() => Promise<any>} step @param {(answer: any) => Promise<boolean | null>} load
 */
export async function attempt(names, step, load) {
  if (isBusy) return;
  warn(null);
  for (const name of names) markField(name, '');
  setBusy(true);
  say('Working …', 'working');
  /** @type {any} */
  let answer = null;
  /** @type {unknown} */
  let problem = null;
  try {
    answer = await step();
  } catch (error) {
    problem = error;
  }
  const isOpen = await load(answer);
  setBusy(false);
  if (problem !== null) {
    // What is over, here or in another window, shows itself so.
    if (isOpen !== false) explain(problem, names);
  } else if (part('authentication')?.hidden === false) element('confirm').focus();
}

/** Leads to an address, if it is one of the web. @param {string | null} url @param {string} text */
export function leadTo(url, text) {
  const address = returnAddress(url);
  if (address === null) return null;
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('return-link'));
  link.href = address;
  link.textContent = text;
  element('return').hidden = false;
  return address;
}

/** Leads back to where the seller wants the payer to go, automatically right after a payment. @param {any} shown @param {boolean} isNow */
export function leadBack({ successUrl, organizationName }, isNow) {
  const address = leadTo(successUrl, `Continue to ${organizationName}`);
  // Long enough to read the confirmation.
  if (isNow && address !== null) setTimeout(() => location.assign(address), 2_000);
}
