// Cards of accounts at Stripe: Stripe's own script shows the fields in a frame of its own, so that no digit passes through this page.

import { element, typedCard } from './page.js';

const address = 'https://js.stripe.com/v3/';

/** @type {Promise<any> | null} */
let loading = null;

/** Loads Stripe's script once. */
function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve(/** @type {any} */ (window).Stripe);
    script.onerror = () => {
      loading = null;
      script.remove();
      reject(new TypeError('Stripe cannot be reached.'));
    };
    document.head.append(script);
  });
  return loading;
}

/** What Stripe says is wrong with what was typed into its fields, in words for the payer. */
export class StripeProblem extends Error {}

/**
 * Shows Stripe's card fields in a place of the page. `method` returns what is sent to the service about the card, and throws a
 * StripeProblem.
 * @param {string} publishableKey @param {HTMLElement} place
 */
async function openStripeCard(publishableKey, place) {
  const stripe = (await load())(publishableKey);
  const card = stripe.elements().create('card', { hidePostalCode: true });
  place.replaceChildren();
  card.mount(place);
  return {
    publishableKey,
    method: async () => {
      const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card });
      if (error) throw new StripeProblem(error.message);
      return paymentMethod.id;
    },
  };
}

/** Stripe's card fields, where an account of the seller takes the card. @type {Awaited<ReturnType<typeof openStripeCard>> | null} */
let shown = null;

/** Shows the card fields of the account that takes the card: Stripe's for a publishable key, the page's own without. @param {string | null} publishableKey */
export async function showCard(publishableKey) {
  if (publishableKey === (shown?.publishableKey ?? null)) return;
  element('own-card').hidden = publishableKey !== null;
  element('stripe-card').hidden = publishableKey === null;
  shown = publishableKey === null ? null : await openStripeCard(publishableKey, element('stripe-card'));
}

/** How the payer means to pay, as the service wants it; throws a StripeProblem. */
export const typedMethod = async () =>
  shown === null ? { card: typedCard() } : { paymentMethod: await shown.method() };

/** Lets the issuer ask its cardholder, where Stripe has to. @param {{ publishableKey: string | null, clientSecret: string | null }} authentication */
export async function authenticate({ publishableKey, clientSecret }) {
  if (publishableKey !== null && clientSecret !== null)
    await (await load())(publishableKey).handleNextAction({ clientSecret });
}
