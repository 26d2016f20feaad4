// Stripe's own script, of which a page uses no more than is typed here.

const address = 'https://js.stripe.com/v3/';

type StripeError = { readonly message?: string };

/** How Stripe's fields look. */
export type Appearance = {
  readonly theme: 'stripe' | 'night';
  readonly variables: Readonly<Record<string, string>>;
};

/** What Stripe says before a wallet opens, which waits a second for the answer. */
export type WalletClick = { readonly resolve: () => void; readonly reject: () => void };

/** What Stripe says once the payer has agreed in a wallet. */
export type WalletConfirmation = { readonly paymentFailed: (why: { readonly reason: 'fail' }) => void };

type Events = {
  readonly ready: { readonly availablePaymentMethods?: Readonly<Record<string, boolean>> | undefined };
  readonly click: WalletClick;
  readonly confirm: WalletConfirmation;
  readonly loaderror: unknown;
};

/** One of Stripe's elements. */
export type StripeElement = {
  readonly mount: (place: HTMLElement) => void;
  readonly destroy: () => void;
  readonly on: <Name extends keyof Events>(name: Name, handle: (event: Events[Name]) => void) => void;
};

/** Elements that collect one method together. */
export type StripeElements = {
  readonly create: (type: 'payment' | 'expressCheckout', options: object) => StripeElement;
  readonly update: (options: object) => void;
  readonly submit: () => Promise<{ readonly error?: StripeError }>;
};

/** A field of Stripe's for the security code of a stored card. */
export type StripeCodeField = Omit<StripeElement, 'on'> & {
  readonly update: (options: object) => void;
};

type Stripe = {
  readonly elements: {
    (options: {
      readonly locale: string;
    }): {
      readonly create: (type: 'cardCvc', options: object) => StripeCodeField;
    };
    (options: object): StripeElements;
  };
  readonly createToken: (
    type: 'cvc_update',
    field: StripeCodeField,
  ) => Promise<{ readonly token?: { readonly id: string }; readonly error?: StripeError }>;
  readonly createPaymentMethod: (options: { readonly elements: StripeElements }) => Promise<{
    readonly paymentMethod?: { readonly id: string };
    readonly error?: StripeError;
  }>;
  readonly handleNextAction: (options: { readonly clientSecret: string }) => Promise<unknown>;
};

type MakeStripe = (publishableKey: string, options?: { readonly locale: string }) => Stripe;

let loading: Promise<MakeStripe> | null = null;

/** Loads Stripe's script once. Throws where it cannot be loaded; the next call tries again. */
export function loadStripe(): Promise<MakeStripe> {
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
