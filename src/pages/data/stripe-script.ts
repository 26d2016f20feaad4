// Types for the features of Stripe's script that pages use.

const address = 'https://js.stripe.com/v3/';

type StripeError = { readonly message?: string };

/** Appearance options of Stripe's fields. */
export type Appearance = {
  readonly theme: 'stripe' | 'night';
  readonly variables: Readonly<Record<string, string>>;
};

/** Event that Stripe sends before a wallet opens. The wallet waits one second for the response. */
type WalletClick = { readonly resolve: () => void; readonly reject: () => void };

/** Event that Stripe sends after the customer has confirmed in a wallet. */
export type WalletConfirmation = { readonly paymentFailed: (why: { readonly reason: 'fail' }) => void };

type Events = {
  readonly ready: { readonly availablePaymentMethods?: Readonly<Record<string, boolean>> | undefined };
  readonly click: WalletClick;
  readonly confirm: WalletConfirmation;
  readonly loaderror: unknown;
};

type StripeElement = {
  readonly mount: (place: HTMLElement) => void;
  readonly destroy: () => void;
  readonly on: <Name extends keyof Events>(name: Name, handle: (event: Events[Name]) => void) => void;
};

/** Group of elements that collects one payment method. */
export type StripeElements = {
  readonly create: (type: 'payment' | 'expressCheckout', options: object) => StripeElement;
  readonly update: (options: object) => void;
  readonly submit: () => Promise<{ readonly error?: StripeError }>;
};

/** Stripe's field for the security code of a saved card. */
type StripeCodeField = Omit<StripeElement, 'on'> & {
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

/** Loads Stripe's script once. Throws if it can't be loaded; the next call loads it again. */
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
