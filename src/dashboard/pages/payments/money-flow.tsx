import { FactList } from '../../kit/fact-list.tsx';
import { Card } from '../../kit/layout.tsx';
import { Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import type { TransactionView } from './transaction-view.ts';

/**
 * Steps from the charged amount to the amount added to the payout balance, in US cents. Not shown if the fee is unknown, as for merchants' own
 * payment providers, which pay the merchant directly.
 */
export function MoneyFlow({ transaction }: { readonly transaction: TransactionView }) {
  const words = useWords('payments');
  const { currency, fee, grossAmount, netAmount, refundedAmount, taxAmount } = transaction;
  if (fee === null || grossAmount === null || netAmount === null) return null;
  const usd = (minor: number) => <Money minor={minor} currency="usd" />;
  return (
    <Card title={words.money.title}>
      <FactList
        look="sums"
        items={[
          { label: words.money.charged, value: usd(grossAmount) },
          taxAmount !== null && taxAmount > 0 && { label: words.money.tax, value: usd(-taxAmount) },
          { label: words.money.fee, value: usd(-fee) },
          { label: words.money.net, value: usd(netAmount) },
          refundedAmount > 0 && {
            label: words.refunded,
            value: <Money minor={-refundedAmount} currency={currency} />,
          },
        ]}
      />
    </Card>
  );
}
