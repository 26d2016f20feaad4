import { Said } from './service.ts';

// Cards of accounts at Stripe: Stripe's own script shows the fields in a frame of its own, so that no digit passes through this page.

const address = 'https://js.stripe.com/v3/';

type StripeError = { readonly message: string };

/** What this page uses of Stripe's script. */
type Stripe = {
  readonly elements: () => {
    readonly create: (
      type: 'card',
      options: object,
    ) => { readonly mount: (place: HTMLElement) => void; readonly unmount: () => void };
  };
  readonly createPaymentMethod: (options: object) => Promise<{
    readonly paymentMethod?: { readonly id: string };
    readonly error?: StripeError;
  }>;
  readonly handleNextAction: (options: { readonly clientSecret: string }) => Promise<unknown>;
};

type MakeStripe = (publishableKey: string, options?: { readonly locale: string }) => Stripe;

let loading: Promise<MakeStripe> | null = null;

/** Loads Stripe's script once. */
function load(): Promise<MakeStripe> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve((window as unknown as { Stripe: MakeStripe }).Stripe);
    script.onerror = () => {
      loading = null;
      script.remove();
      reject(new TypeError('Stripe cannot be reached.'));
    };
    document.head.append(script);
  });
  return loading;
}

/** Stripe's card fields on a page. */
export type StripeCard = {
  /** What is sent to the service about the card. Throws what Stripe says is wrong with what was typed into its fields. */
  readonly method: () => Promise<string>;
  readonly close: () => void;
};

/** Shows Stripe's card fields in a place of the page, in the language of the page. */
export async function openStripeCard(
  publishableKey: string,
  place: HTMLElement,
  language: string,
): Promise<StripeCard> {
  const stripe = (await load())(publishableKey, { locale: language });
  const card = stripe.elements().create('card', { hidePostalCode: true });
  card.mount(place);
  return {
    method: async () => {
      const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card });
      if (paymentMethod === undefined) throw new Said(error?.message);
      return paymentMethod.id;
    },
    close: () => card.unmount(),
  };
}

/** Lets the issuer ask its cardholder. */
export async function authenticateAtStripe(publishableKey: string, clientSecret: string): Promise<void> {
  await (await load())(publishableKey).handleNextAction({ clientSecret });
}
