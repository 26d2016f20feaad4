// What a payer is asked where the bank wants a confirmation, wherever a card is taken.

import { element, money } from './page.js';
import { authenticate } from './stripe.js';

/** What is awaited. @type {any} */
let awaited = null;

/** Says what is to be confirmed. @param {any} authentication null when nothing is */
export function showAuthentication(authentication) {
  awaited = authentication;
  if (authentication === null) return;
  const { amount, ...of } = authentication;
  element('authentication-text').textContent =
    amount > 0
      ? `Your bank wants to know that it is you who pays ${money(of, amount)}.`
      : 'Your bank wants to know that it is you who stores this card. Nothing is charged now.';
}

/** Lets the payer answer: `tell` gets a way to tell Stripe and the service, and carries it out. @param {(succeed: boolean, ask: () => Promise<void>) => unknown} tell */
export function onAnswer(tell) {
  // Whatever came of it, the service asks Stripe.
  element('confirm').addEventListener('click', () => tell(true, () => authenticate(awaited)));
  element('reject').addEventListener('click', () => tell(false, async () => undefined));
}
