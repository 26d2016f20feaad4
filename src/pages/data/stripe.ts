import { loadCode } from './lazy-code.ts';
import { DisplayedError } from './service.ts';
import { appearanceAt, onDarkness } from './stripe-look.ts';
import { loadStripe, type StripeElements, type WalletConfirmation } from './stripe-script.ts';
import { type Due, termsOf } from './stripe-terms.ts';

// Card fields and wallet buttons of connected Stripe accounts. Stripe's script shows them in its own frames, so that no card number reaches this
// page.

export type StripeParts = {
  readonly publishableKey: string;
  readonly language: string;
  /** Name of the merchant that wallets show. */
  readonly seller: string;
  readonly due: Due;
  /** Container elements for the card fields in the form, and for the wallet buttons. */
  readonly place: HTMLElement;
  readonly walletPlace: HTMLElement;
  /** Called with true if the browser supports a wallet. */
  readonly onWallets: (areThere: boolean) => void;
  /** Called if the card fields can't be shown. */
  readonly onMissing: () => void;
  /** Called with the names of required fields that are empty when the customer opens a wallet. */
  readonly onIncomplete: (names: readonly string[]) => void;
};

export type StripeCard = {
  /** Returns the token of the card or wallet for the service. Throws Stripe's error. */
  readonly method: () => Promise<string>;
  readonly update: (due: Due) => void;
  readonly close: () => void;
};

const isSame = (one: Due, other: Due): boolean =>
  one.amount === other.amount &&
  one.currency === other.currency &&
  (one.isOneOff ?? false) === (other.isOneOff ?? false);

/** Returns the names of empty required fields in a form. */
const emptyFields = (form: HTMLFormElement): string[] =>
  [...form.elements].flatMap((field) =>
    (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
    field.validity.valueMissing &&
    field.closest('[hidden]') === null
      ? [field.name]
      : [],
  );

/** Shows the card fields. Wallets have their own buttons above the fields. */
function showFields(elements: StripeElements, { place, seller, onMissing }: StripeParts) {
  const fields = elements.create('payment', {
    business: { name: seller },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    // If the merchant requires an address, the page has its own address fields.
    fields: { billingDetails: { address: 'if_required' } },
  });
  fields.on('loaderror', onMissing);
  fields.mount(place);
  return fields;
}

/**
 * Shows the wallet buttons. The customer confirms an amount in the wallet. A wallet is therefore unavailable while the amount depends on an empty
 * field, and an amount that changes during confirmation isn't charged.
 */
function showWallets(elements: StripeElements, parts: StripeParts, dueNow: () => Due) {
  const { walletPlace, seller, onWallets, onIncomplete } = parts;
  let agreed = dueNow();
  let confirmed: WalletConfirmation | null = null;
  const form = walletPlace.closest('form');
  const isBusy = (): boolean => form?.querySelector('fieldset')?.disabled !== false;
  const buttons = elements.create('expressCheckout', {
    business: { name: seller },
    emailRequired: false,
    paymentMethods: {
      applePay: 'auto',
      googlePay: 'auto',
      link: 'never',
      amazonPay: 'never',
      paypal: 'never',
      klarna: 'never',
    },
  });
  buttons.on('ready', ({ availablePaymentMethods: wallets }) =>
    onWallets(Object.values(wallets ?? {}).includes(true)),
  );
  buttons.on('loaderror', () => onWallets(false));
  buttons.on('click', ({ resolve, reject }) => {
    if (form === null || isBusy()) return reject();
    const empty = emptyFields(form);
    if (empty.length > 0) {
      reject();
      return onIncomplete(empty);
    }
    agreed = dueNow();
    resolve();
  });
  buttons.on('confirm', (event) => {
    confirmed = event;
    if (!isBusy()) form?.requestSubmit();
    // If another action is running, the page didn't use the wallet's confirmation, so the confirmation fails.
    confirmed?.paymentFailed({ reason: 'fail' });
    confirmed = null;
  });
  buttons.mount(walletPlace);
  return {
    close: () => buttons.destroy(),
    /** Returns the confirmed wallet once. `null` if the customer pays by card. */
    take: () => {
      const wallet = confirmed;
      confirmed = null;
      return wallet;
    },
    isAgreed: () => isSame(agreed, dueNow()),
  };
}

/** Shows Stripe's elements in the language and style of the page. Throws if Stripe's script can't be loaded. */
export async function openStripeCard(parts: StripeParts): Promise<StripeCard> {
  const { publishableKey, language, place } = parts;
  let { due } = parts;
  const stripe = (await loadStripe())(publishableKey, { locale: language });
  const elements = stripe.elements({
    ...termsOf(due),
    paymentMethodCreation: 'manual',
    appearance: appearanceAt(place),
  });
  const fields = showFields(elements, parts);
  const wallets = showWallets(elements, parts, () => due);
  const endLook = onDarkness(() => elements.update({ appearance: appearanceAt(place) }));

  async function createMethod(): Promise<string> {
    const { error: mistake } = await elements.submit();
    if (mistake !== undefined) throw new DisplayedError(mistake.message);
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
    if (paymentMethod === undefined) throw new DisplayedError(error?.message);
    return paymentMethod.id;
  }
  return {
    method: async () => {
      const wallet = wallets.take();
      try {
        if (wallet !== null && !wallets.isAgreed())
          throw new DisplayedError((await loadCode()).words.amountChanged);
        return await createMethod();
      } catch (error) {
        wallet?.paymentFailed({ reason: 'fail' });
        throw error;
      }
    },
    update: (next) => {
      if (isSame(due, next)) return;
      due = next;
      elements.update(termsOf(due));
    },
    close: () => {
      endLook();
      fields.destroy();
      wallets.close();
    },
  };
}

/** Authenticates a payment with the card's bank at Stripe. */
export async function authenticateAtStripe(publishableKey: string, clientSecret: string): Promise<void> {
  await (await loadStripe())(publishableKey).handleNextAction({ clientSecret });
}
