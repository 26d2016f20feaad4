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
 * Shows Stripe's card fields in a place of the page. `method` answers what the service is to be told of the card, and throws a
 * StripeProblem; `authenticate` lets the issuer ask its cardholder, whose answer the service gets from Stripe itself.
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
    /** @param {string} clientSecret */
    authenticate: (clientSecret) => stripe.handleNextAction({ clientSecret }),
  };
}

/** Stripe's card fields, where an account of the seller takes the card. @type {Awaited<ReturnType<typeof openStripeCard>> | null} */
let shown = null;

/** Shows the card fields of whoever takes the card: Stripe's for a publishable key, the page's own without. @param {string | null} publishableKey */
export async function showCard(publishableKey) {
  if (publishableKey === (shown?.publishableKey ?? null)) return;
  element('own-card').hidden = publishableKey !== null;
  element('stripe-card').hidden = publishableKey === null;
  shown = publishableKey === null ? null : await openStripeCard(publishableKey, element('stripe-card'));
}

/** How the payer means to pay, as the service wants it; throws a StripeProblem. */
export const typedMethod = async () => (shown === null ? { card: typedCard() } : { paymentMethod: await shown.method() });

/** Lets the issuer ask its cardholder, where Stripe has to. @param {string | null} clientSecret */
export async function authenticate(clientSecret) {
  if (shown !== null && clientSecret !== null) await shown.authenticate(clientSecret);
}
