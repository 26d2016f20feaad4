// The card in the portal: the one that is stored, and the dialog in which another is typed in.

import { element, fieldOf, input, markField, NoAnswer, Refusal } from './page.js';
import { fieldSentence, sentenceOf, unknownOutcome } from './sentences.js';
import { StripeProblem, showCard, typedMethod } from './stripe.js';

const cardNames = ['number', 'expiry', 'cvc'];

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('card-dialog'));

/** Does something with the card, and says by `report` what went wrong. @typedef {(method: Record<string, unknown>, report: (error: unknown) => unknown) => Promise<unknown>} Use */

/** What is done with the card once it is typed in. @type {Use | null} */
let use = null;

/** Names the account of the seller at Stripe, where that takes the card. @type {string | null} */
let publishableKey = null;

/** Says above the buttons of the dialog what went wrong. @param {string | null} text */
function warnInDialog(text) {
  const alert = element('card-alert');
  alert.hidden = text === null;
  alert.textContent = text ?? '';
  if (text !== null) alert.focus();
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

/** Asks for a card and does something with it; the dialog stays open with what was typed in until that went well. @param {string} title @param {string} text @param {string} label @param {Use} then */
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

/** Says what went wrong, beside the fields it is about where it is about the card. @param {unknown} error */
function report(error) {
  if (error instanceof NoAnswer) return warnInDialog(unknownOutcome);
  if (!(error instanceof Refusal)) throw error;
  const details = error.code === 'validation_error' && Array.isArray(error.details) ? error.details : [];
  const names = details.map(({ field }) => fieldOf(field)).filter((name) => cardNames.includes(name));
  if (names.length === 0) return warnInDialog(sentenceOf(error));
  for (const name of names) markField(name, fieldSentence(name));
  return input(cardNames.find((name) => names.includes(name)) ?? '').focus();
}

element('card-close').addEventListener('click', () => dialog.close());
element('card-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  for (const name of cardNames) markField(name, '');
  warnInDialog(null);
  try {
    const method = await typedMethod();
    if ((await use?.(method, report)) === null) dialog.close();
  } catch (error) {
    warnInDialog(
      error instanceof StripeProblem ? error.message : 'The card cannot be checked right now. Try again.',
    );
  }
});
