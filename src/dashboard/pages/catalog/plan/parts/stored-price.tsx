import { moneyText } from '../../../../../ui/format/money.ts';
import { useData } from '../../../../data/hooks.ts';
import { useKit } from '../../../../kit/provider.tsx';
import { Text } from '../../../../kit/text.tsx';
import { useWords } from '../../../../words/words.ts';
import { CatalogStoredPriceDocument } from './stored-price.graphql';

type StoredPriceProps = {
  readonly planId: string;
  readonly priceId: string;
  readonly country: string;
  /** Unsaved price for the same country, from the plan draft. */
  readonly draft: { readonly amount: number; readonly currency: string };
};

/** Shows the saved price for a new customer in a country, and whether the draft changes that price. */
export function StoredPrice({ planId, priceId, country, draft }: StoredPriceProps) {
  const { steps: words } = useWords('plan');
  const { locale } = useKit();
  const { data, isStale } = useData(CatalogStoredPriceDocument, { planId, priceId, country });
  if (data === null || isStale) return null;
  const { amount, currency } = data.priceFor;
  const isSame = amount === draft.amount && currency === draft.currency;
  const text = moneyText(amount, currency, locale);
  return (
    <Text size="sm" weight="medium">
      {isSame
        ? words.todaySame({ amount: text })
        : words.today({ amount: text, next: moneyText(draft.amount, draft.currency, locale) })}
    </Text>
  );
}
