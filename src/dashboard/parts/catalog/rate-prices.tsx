import { clauseTexts } from '../../../domain/rates/clause-texts.ts';
import { exactText, ratio } from '../../../domain/rates/exact.ts';
import type { RateLine } from '../../../domain/rates/lines.ts';
import type { Rate } from '../../../domain/rates/rate.ts';
import { amountText, moneyText, rateText } from '../../../ui/format/money.ts';
import { countText, numberText } from '../../../ui/format/numbers.ts';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { centsPerDollar, pricedQuantities } from './model/rate-table.ts';

const mostDecimals = 12;

/** Formats a quantity with its decimals. */
export const quantityText = (quantity: number, locale: string): string => numberText(quantity, locale, 9);

/** Returns a function that describes a rate in US dollars or credits, such as "$0.20 per 1,000 units". */
export function useRateText(isInCredits: boolean): (rate: Rate) => string {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const amount = (decimal: string): string =>
    isInCredits ? numberText(Number(decimal), locale, mostDecimals) : amountText(decimal, 'usd', locale);
  const bound = (value: number): string => quantityText(value, locale);
  return (rate) => clauseTexts(words.clauses, rate, { amount, bound });
}

/** Describes a rate, and lists its prices for a few numbers of units. */
export function RatePrices({ rate, isInCredits }: { readonly rate: Rate; readonly isInCredits: boolean }) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const textOf = useRateText(isInCredits);
  const totalText = (total: bigint): string =>
    isInCredits ? countText(Number(total), locale) : moneyText(total, 'usd', locale);
  const lineText = ({ kind, quantity, unitAmount, amount }: RateLine): string => {
    const total = totalText(amount);
    if (kind === 'minimum' || kind === 'maximum')
      return `${total} (${kind === 'minimum' ? words.atLeast : words.atMost})`;
    if (kind !== 'units') return total;
    const count = quantityText(Number(exactText(quantity)), locale);
    if (isInCredits)
      return words.each({ count, price: numberText(Number(exactText(unitAmount)), locale, mostDecimals) });
    const dollars = ratio(unitAmount.numerator, unitAmount.denominator * 100n);
    return words.each({ count, price: amountText(exactText(dollars), 'usd', locale) });
  };
  return (
    <Stack gap={2}>
      <Text>{textOf(rate)}</Text>
      <Table
        label={words.table}
        rows={pricedQuantities(rate, isInCredits ? 1n : centsPerDollar)}
        rowKey={({ units }) => units}
        columns={[
          {
            id: 'units',
            title: words.units,
            align: 'end',
            cell: ({ units }) => quantityText(Number(units), locale),
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
              isInCredits
                ? numberText(Number(average) / 10_000, locale, 4)
                : rateText(average, 'usd', locale),
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
    </Stack>
  );
}
