import { paddedCurrencies } from '../../domain/padded-currencies.ts';
import { acting } from './late.ts';
import { Said } from './service.ts';
import { appearanceAt, onDarkness } from './stripe-look.ts';
import { loadStripe, type StripeElements, type WalletConfirmation } from './stripe-script.ts';

// Cards of accounts at Stripe: Stripe's own script shows the fields and the buttons of wallets in frames of its own, so that no digit passes
// through this page.

/** What is charged with a method, in minor units: 0 where it is only stored. */
export type Due = { readonly amount: number; readonly currency: string };

/** What Stripe's elements are shown with. */
export type StripeParts = {
  readonly publishableKey: string;
  readonly language: string;
  /** Whom the payer pays, as wallets say it. */
  readonly seller: string;
  readonly due: Due;
  /** Where the fields of a card are shown, inside the form of the step; and the buttons of wallets. */
  readonly place: HTMLElement;
  readonly walletPlace: HTMLElement;
  /** Says whether there are wallets this browser can pay with. */
  readonly onWallets: (areThere: boolean) => void;
  /** Says that the fields of a card cannot be shown. */
  readonly onMissing: () => void;
  /** Says which fields of the form a wallet waits for. */
  readonly onIncomplete: (names: readonly string[]) => void;
};

/** Stripe's elements on a page. */
export type StripeCard = {
  /** What is sent to the service about the card or the wallet. Throws what Stripe says is wrong with it. */
  readonly method: () => Promise<string>;
  /** Shows what is charged by now. */
  readonly update: (due: Due) => void;
  readonly close: () => void;
};

/**
 * What is asked of Stripe: an amount where one is charged now, else that the method is set up. Methods are cards and wallets that answer one (Apple
 * Pay, Google Pay): those are what the service can store and charge later while no payer is there. Link and everything else that Stripe could
 * offer is left out, since it may answer a bank account, a loan or a card for one payment.
 */
const termsOf = ({ amount, currency }: Due): object => ({
  ...(amount > 0
    ? { mode: 'payment', amount: paddedCurrencies.includes(currency) ? amount * 100 : amount }
    : { mode: 'setup' }),
  currency,
  setupFutureUsage: 'off_session',
  paymentMethodTypes: ['card'],
});

const isSame = (one: Due, other: Due): boolean =>
  one.amount === other.amount && one.currency === other.currency;

/** The fields of a form that have to be filled in and are not. */
const emptyFields = (form: HTMLFormElement): string[] =>
  [...form.elements].flatMap((field) =>
    (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) &&
    field.validity.valueMissing &&
    field.closest('[hidden]') === null
      ? [field.name]
      : [],
  );

/** The fields of a card. A wallet has its button above them. */
function showFields(elements: StripeElements, { place, seller, onMissing }: StripeParts) {
  const fields = elements.create('payment', {
    business: { name: seller },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    // The page asks for an address itself, where the seller wants one.
    fields: { billingDetails: { address: 'if_required' } },
  });
  fields.on('loaderror', onMissing);
  fields.mount(place);
  return fields;
}

/**
 * The buttons of wallets. The payer agrees to an amount in a wallet: one that is not known before a field is filled in is not offered there, and one
 * that has changed meanwhile is not charged.
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
    // The step has taken the wallet by now, unless another one is under way.
    confirmed?.paymentFailed({ reason: 'fail' });
    confirmed = null;
  });
  buttons.mount(walletPlace);
  return {
    close: () => buttons.destroy(),
    /** The wallet the step is taken with, once; null where it is a card. */
    take: () => {
      const wallet = confirmed;
      confirmed = null;
      return wallet;
    },
    isAgreed: () => isSame(agreed, dueNow()),
  };
}

/** Shows Stripe's elements in their places, in the language and the look of the page. Throws where Stripe's script cannot be loaded. */
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
    if (mistake !== undefined) throw new Said(mistake.message);
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
    if (paymentMethod === undefined) throw new Said(error?.message);
    return paymentMethod.id;
  }
  return {
    method: async () => {
      const wallet = wallets.take();
      try {
        if (wallet !== null && !wallets.isAgreed()) throw new Said((await acting()).said.amountChanged);
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

/** Lets the issuer ask its cardholder. */
export async function authenticateAtStripe(publishableKey: string, clientSecret: string): Promise<void> {
  await (await loadStripe())(publishableKey).handleNextAction({ clientSecret });
}
