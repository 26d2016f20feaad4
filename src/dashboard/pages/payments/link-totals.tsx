import { moneyText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { useData } from '../../data/hooks.ts';
import { useKit } from '../../kit/provider.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { linkTotals } from '../../parts/billing/totals.ts';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';
import { type PaymentsQueryVariables, PaymentTotalsDocument } from './links.graphql';

type LinkTotalsProps = { readonly variables: Pick<PaymentsQueryVariables, 'filter' | 'search'> };

/** What the listed links and one-time payments add up to, per currency. */
export function LinkTotals({ variables: { filter, search } }: LinkTotalsProps) {
  const { locale } = useKit();
  const words = useWords<typeof payments>('payments').links.totals;
  const { data } = useData(PaymentTotalsDocument, {
    ...(filter !== undefined && { filter }),
    ...(search !== undefined && { search }),
  });
  return (
    <ListTotals
      totals={linkTotals(data?.payments.totals ?? []).map(({ currency, count, done, open }) => ({
        currency,
        texts: [
          words.count(countText(count, locale), count === 1),
          words.paid({ amount: moneyText(done, currency, locale) }),
          words.open({ amount: moneyText(open, currency, locale) }),
        ],
      }))}
    />
  );
}
