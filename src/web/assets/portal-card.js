// The card in the portal: the one that is stored, and the dialog in which another is typed in.

import { element, fieldOf, input, markField, Refusal } from './page.js';
import { StripeProblem, showCard, typedMethod } from './stripe.js';

const cardNames = ['number', 'expiry', 'cvc'];

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('card-dialog'));

/** What is done with the card once it is typed in. @type {((method: Awaited<ReturnType<typeof typedMethod>>) => unknown) | null} */
let use = null;

/** Names the account of the seller at Stripe, where that takes the card. @type {string | null} */
let publishableKey = null;

/** Says above the buttons of the dialog what went wrong. @param {string | null} text */
function warnInDialog(text) {
  element('card-alert').hidden = text === null;
  element('card-alert').textContent = text ?? '';
}

/** Shows the stored card, and whether it can be replaced. @param {any} subscription */
export function showMethod(subscription) {
  const method = subscription?.paymentMethod ?? null;
  publishableKey = subscription?.publishableKey ?? null;
  element('method').hidden = method === null;
  if (method === null) return;
  const brand = method.brand.charAt(0).toUpperCase() + method.brand.slice(1);
  const expiry = `${String(method.expMonth).padStart(2, '0')}/${String(method.expYear).slice(-2)}`;
  element('card').textContent = `${brand} ending in ${method.last4}, expires ${expiry}`;
  element('replace-card').hidden = !['trialing', 'active', 'past_due'].includes(subscription.status);
}

/** Asks for a card and hands it on. @param {string} title @param {string} text @param {string} label @param {NonNullable<typeof use>} then */
export async function askForCard(title, text, label, then) {
  element('card-title').textContent = title;
  element('card-text').textContent = text;
  element('card-submit').textContent = label;
  for (const name of cardNames) {
    input(name).value = '';
    markField(name, '');
  }
  use = then;
  warnInDialog(null);
  dialog.showModal();
  try {
    await showCard(publishableKey);
  } catch {
    return warnInDialog('The card fields cannot be shown right now. Reload the page to try again.');
  }
  return publishableKey === null ? input('number').focus() : undefined;
}

/** Puts what is wrong with a card beside its fields and asks again; false when the refusal is about something else. @param {unknown} error */
export function showCardProblems(error) {
  if (use === null || !(error instanceof Refusal) || error.code !== 'validation_error' || !Array.isArray(error.details)) return false;
  const placed = error.details.filter(({ field }) => cardNames.includes(fieldOf(field)));
  if (placed.length === 0) return false;
  dialog.showModal();
  for (const { field, message } of placed) markField(fieldOf(field), message.charAt(0).toUpperCase() + message.slice(1));
  input(fieldOf(placed[0].field)).focus();
  return true;
}

element('card-close').addEventListener('click', () => dialog.close());
element('card-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  for (const name of cardNames) markField(name, '');
  warnInDialog(null);
  try {
    const method = await typedMethod();
    dialog.close();
    use?.(method);
  } catch (error) {
    warnInDialog(error instanceof StripeProblem ? error.message : 'The card cannot be checked right now. Try again.');
  }
});
