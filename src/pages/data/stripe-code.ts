import { DisplayedError } from './service.ts';
import { appearanceAt, onDarkness } from './stripe-look.ts';
import { loadStripe } from './stripe-script.ts';

export type StripeCode = {
  /** Returns a single-use token for the security code. Throws Stripe's error. */
  readonly token: () => Promise<string>;
  readonly close: () => void;
};

/** Returns the style of the field. Stripe styles this field with CSS properties instead of its appearance options. */
function styleAt(place: HTMLElement): object {
  const { colorText, colorTextPlaceholder, colorDanger, fontFamily } = appearanceAt(place).variables;
  const base = { color: colorText, fontFamily, fontSize: getComputedStyle(place).fontSize };
  return {
    style: {
      base: { ...base, '::placeholder': { color: colorTextPlaceholder } },
      invalid: { color: colorDanger },
    },
  };
}

/** Shows Stripe's field for the security code of a saved card. Throws if Stripe's script can't be loaded. */
export async function openStripeCode({
  publishableKey,
  language,
  place,
}: {
  readonly publishableKey: string;
  readonly language: string;
  readonly place: HTMLElement;
}): Promise<StripeCode> {
  const stripe = (await loadStripe())(publishableKey, { locale: language });
  const field = stripe
    .elements({ locale: language })
    .create('cardCvc', { placeholder: '', ...styleAt(place) });
  field.mount(place);
  const endLook = onDarkness(() => field.update(styleAt(place)));
  return {
    token: async () => {
      const { token, error } = await stripe.createToken('cvc_update', field);
      if (token === undefined) throw new DisplayedError(error?.message);
      return token.id;
    },
    close: () => {
      endLook();
      field.destroy();
    },
  };
}
