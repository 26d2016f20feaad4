import { Said } from './service.ts';
import { appearanceAt, onDarkness } from './stripe-look.ts';
import { loadStripe } from './stripe-script.ts';

/** Stripe's field for the security code of a stored card. */
export type StripeCode = {
  /** What stands for the code, once. Throws what Stripe says is wrong with it. */
  readonly token: () => Promise<string>;
  readonly close: () => void;
};

/** How the field looks: Stripe styles this one by texts, not by the look of its other elements. */
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

/** Shows Stripe's field for a security code in its place. Throws where Stripe's script cannot be loaded. */
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
      if (token === undefined) throw new Said(error?.message);
      return token.id;
    },
    close: () => {
      endLook();
      field.destroy();
    },
  };
}
