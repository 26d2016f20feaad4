import { moneyText } from '../../../../../ui/format/money.ts';
import { useData } from '../../../../data/hooks.ts';
import { useKit } from '../../../../kit/provider.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';
import { CatalogStoredPriceDocument } from './stored-price.graphql';

type StoredPriceProps = {
  readonly planId: string;
  readonly priceId: string;
  readonly country: string;
  /** What the draft comes to. */
  readonly draft: { readonly amount: number; readonly currency: string };
};

/** What a new customer in a country pays today, by the catalog as it is saved, and whether the draft changes that. */
export function StoredPrice({ planId, priceId, country, draft }: StoredPriceProps) {
  const { steps: words } = useWords<typeof planWords>('plan');
  const { locale } = useKit();
  const { data, isStale } = useData(CatalogStoredPriceDocument, { planId, priceId, country });
  if (data === null || isStale) return null;
  const { amount, currency } = data.priceFor;
  const isSame = amount === draft.amount && currency === draft.currency;
  const text = moneyText(amount, currency, locale);
  return (
    <Text size="sm" weight="medium">
      {isSame ? words.todaySame(text) : words.today(text, moneyText(draft.amount, draft.currency, locale))}
    </Text>
  );
}
