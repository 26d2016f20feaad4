import { moneyText } from '../../ui/format/money.ts';
import { plainText } from '../../ui/format/names.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import type { Option } from '../kit/select.tsx';
import { useTerms } from '../parts/terms.ts';
import { useWords } from '../words/words.ts';
import { ChoiceFeaturesDocument, ChoiceOffersDocument } from './choices.graphql';
import type { CommandWords } from './command.ts';
import { Select } from './lazy-fields.ts';
import type { ChoicePlan } from './plans.ts';

export const useCommandWords = (): CommandWords => useWords('commands');

/** Value of the option that clears the selection. */
export const none = 'none';

const recurring = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;

export type Recurring = (typeof recurring)[number];

export const isRecurring = (interval: string): interval is Recurring =>
  recurring.some((each) => each === interval);

/** Returns the price of a plan in a currency. Falls back to US dollars if the catalog has no price in that currency. */
function priceIn(price: ChoicePlan['prices'][number], currency: string) {
  const regional = price.regionalPrices.find((each) => each.currency === currency);
  return regional === undefined
    ? { amount: price.price, currency: 'usd' }
    : { amount: regional.price, currency };
}

/** Returns an option for each billing interval of a plan, with its price. */
export function useIntervalOptions(plan: ChoicePlan | undefined, currency: string): Option[] {
  const terms = useTerms();
  const { locale } = useKit();
  return (plan?.prices ?? []).map((price) => {
    const { amount, currency: of } = priceIn(price, currency);
    return {
      value: price.billingInterval,
      label: plainText(terms.interval[price.billingInterval]),
      help: terms.perInterval[price.billingInterval]({ amount: moneyText(amount, of, locale) }),
    };
  });
}

/** Returns a function that lists the prices of a plan, such as "$29.00 per month · $290.00 per year". */
export function usePlanPrices(): (plan: ChoicePlan, currency: string) => string {
  const terms = useTerms();
  const { locale } = useKit();
  return ({ prices }, currency) =>
    prices
      .map((price) => {
        const { amount, currency: of } = priceIn(price, currency);
        return terms.perInterval[price.billingInterval]({ amount: moneyText(amount, of, locale) });
      })
      .join(' · ');
}

type OfferFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean;
};

/** Field that selects an active offer, or no offer. */
export function OfferField({ label, value, onChange, isRequired = false }: OfferFieldProps) {
  const { words } = useKit();
  const offers = useData(ChoiceOffersDocument, {}).data?.offers.nodes ?? [];
  const options = offers.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      name="offerId"
      label={label}
      isOptional={!isRequired}
      options={isRequired ? options : [{ value: none, label: words.none }, ...options]}
      value={value === '' ? null : value}
      onChange={onChange}
    />
  );
}

type FeatureFieldProps = {
  readonly label: string;
  readonly type: 'seats' | 'quota' | 'usage';
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Codes of the features to offer as options. Defaults to all features of the type. */
  readonly codes?: readonly string[];
};

/** Field that selects a feature of the given type. */
export function FeatureField({ label, type, value, onChange, codes }: FeatureFieldProps) {
  const features = useData(ChoiceFeaturesDocument, {}).data?.features.nodes ?? [];
  const own = features.filter((each) => each.type === type && codes?.includes(each.code) !== false);
  return (
    <Select
      name="featureCode"
      label={label}
      options={own.map(({ code, name }) => ({ value: code, label: name }))}
      value={value === '' ? null : value}
      onChange={onChange}
    />
  );
}
