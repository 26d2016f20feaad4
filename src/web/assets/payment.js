// What the pages share at which money is paid: their parts, what is wrong with a field, and the way back to the seller.

import { element, fieldOf, input, markField, returnAddress, warn } from './page.js';

/** The fields of the billing address and the tax number. */
export const billingNames = ['line1', 'postalCode', 'city', 'state', 'country', 'taxDocument'];

/** Shows one part of the page and hides the others. @param {'payment' | 'authentication' | null} part */
export function show(part) {
  element('payment').hidden = part !== 'payment';
  element('authentication').hidden = part !== 'authentication';
}

/** Locks the form and the answers to the bank, or opens them again. @param {boolean} isBusy */
export function setBusy(isBusy) {
  /** @type {HTMLFieldSetElement} */ (document.getElementById('fields')).disabled = isBusy;
  for (const id of ['confirm', 'refuse']) /** @type {HTMLButtonElement} */ (document.getElementById(id)).disabled = isBusy;
  document.body.setAttribute('aria-busy', String(isBusy));
}

/** Leads back to where the seller wants the payer to go, by itself right after a payment. @param {any} shown @param {boolean} isNow */
export function leadBack({ successUrl, organizationName }, isNow) {
  const address = returnAddress(successUrl);
  if (address === null) return;
  const link = /** @type {HTMLAnchorElement} */ (document.getElementById('return-link'));
  link.href = address;
  link.textContent = `Continue to ${organizationName}`;
  element('return').hidden = false;
  // Long enough to read the confirmation.
  if (isNow) setTimeout(() => location.assign(address), 2_000);
}

/** Says what is wrong beside the fields of the page, else above the form. @param {string[]} names @param {{ field: string, message: string }[]} problems */
export function markFirst(names, problems) {
  const unplaced = [];
  let first = null;
  for (const { field, message } of problems) {
    const name = fieldOf(field);
    if (!names.includes(name)) {
      unplaced.push(message);
      continue;
    }
    if (billingNames.includes(name)) /** @type {HTMLDetailsElement} */ (document.getElementById('billing')).open = true;
    markField(name, message.charAt(0).toUpperCase() + message.slice(1));
    first ??= name;
  }
  if (unplaced.length > 0) warn(unplaced.join(' '));
  if (first !== null) input(first).focus();
}
