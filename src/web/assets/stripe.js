// Cards of accounts at Stripe: Stripe's own script shows the fields in a frame of its own, so that no digit passes through this page.

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
export async function openStripeCard(publishableKey, place) {
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
