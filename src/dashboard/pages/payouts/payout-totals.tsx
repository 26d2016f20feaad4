import { moneyText } from '../../../ui/format/money.ts';
import { useData } from '../../data/hooks.ts';
import { useKit } from '../../kit/provider.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { payoutTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { type PayoutsQueryVariables, PayoutTotalsDocument } from './page.graphql';

type PayoutTotalsProps = { readonly variables: Pick<PayoutsQueryVariables, 'filter'> };

export function PayoutTotals({ variables: { filter } }: PayoutTotalsProps) {
  const { locale } = useKit();
  const words = useWords('payouts').totals;
  const { data } = useData(PayoutTotalsDocument, { ...(filter !== undefined && { filter }) });
  return (
    <ListTotals
      totals={payoutTotals(data?.payouts.totals ?? []).map(({ currency, count, done, open }) => ({
        currency,
        texts: [
          words.count({ count }),
          words.paid({ amount: moneyText(done, currency, locale) }),
          words.open({ amount: moneyText(open, currency, locale) }),
        ],
      }))}
    />
  );
}
