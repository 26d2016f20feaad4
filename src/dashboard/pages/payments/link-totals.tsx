import { moneyText } from '../../../ui/format/money.ts';
import { useData } from '../../data/hooks.ts';
import { useKit } from '../../kit/provider.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { linkTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { type PaymentsQueryVariables, PaymentTotalsDocument } from './links.graphql';

type LinkTotalsProps = { readonly variables: Pick<PaymentsQueryVariables, 'filter' | 'search'> };

/** Totals of the listed links and one-time payments, by currency. */
export function LinkTotals({ variables: { filter, search } }: LinkTotalsProps) {
  const { locale } = useKit();
  const words = useWords('payments').links.totals;
  const { data } = useData(PaymentTotalsDocument, {
    ...(filter !== undefined && { filter }),
    ...(search !== undefined && { search }),
  });
  return (
    <ListTotals
      totals={linkTotals(data?.payments.totals ?? []).map(({ currency, count, done, open }) => ({
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
