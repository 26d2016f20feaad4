import { exactText, ratio } from '../../../domain/rates/exact.ts';
import type { RateLine } from '../../../domain/rates/lines.ts';
import { amountText, moneyText, rateText } from '../../../ui/format/money.ts';
import { countText, numberText } from '../../../ui/format/numbers.ts';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import type { PricedQuantity } from './model/rate-table.ts';

const mostDecimals = 12;

/** Table with the prices of a few numbers of units. */
export function RatePrices({
  priced,
  isInCredits,
}: {
  readonly priced: readonly PricedQuantity[];
  readonly isInCredits: boolean;
}) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const totalText = (total: bigint): string =>
    isInCredits ? countText(Number(total), locale) : moneyText(total, 'usd', locale);
  const lineText = ({ kind, quantity, unitAmount, amount }: RateLine): string => {
    const total = totalText(amount);
    if (kind === 'minimum' || kind === 'maximum')
      return `${total} (${kind === 'minimum' ? words.atLeast : words.atMost})`;
    if (kind !== 'units') return total;
    const count = countText(Number(exactText(quantity)), locale);
    if (isInCredits)
      return words.each({ count, price: numberText(Number(exactText(unitAmount)), locale, mostDecimals) });
    const dollars = ratio(unitAmount.numerator, unitAmount.denominator * 100n);
    return words.each({ count, price: amountText(exactText(dollars), 'usd', locale) });
  };
  return (
    <Table
      label={words.table}
      rows={priced}
      rowKey={({ units }) => String(units)}
      columns={[
        {
          id: 'units',
          title: words.units,
          align: 'end',
          cell: ({ units }) => countText(Number(units), locale),
        },
        {
          id: 'total',
          title: isInCredits ? words.credits : words.total,
          align: 'end',
          cell: ({ price }) => totalText(price),
        },
        {
          id: 'average',
          title: words.average,
          align: 'end',
          cell: ({ average }) =>
            isInCredits ? numberText(Number(average) / 10_000, locale, 4) : rateText(average, 'usd', locale),
        },
        {
          id: 'calculation',
          title: words.calculation,
          priority: 'secondary',
          cell: ({ lines }) => (
            <Text size="sm" color="muted">
              {lines.map(lineText).join(' + ')}
            </Text>
          ),
        },
      ]}
    />
  );
}
