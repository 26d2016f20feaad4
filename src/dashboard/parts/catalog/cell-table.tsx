import { clauseTexts } from '../../../domain/rates/clause-texts.ts';
import { amountText } from '../../../ui/format/money.ts';
import { numberText } from '../../../ui/format/numbers.ts';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { useWords } from '../../words/words.ts';
import type { CellPrice } from './model/place-rate.ts';
import { quantityText } from './rate-prices.tsx';

type CellTableProps = {
  readonly label: string;
  readonly cells: readonly CellPrice[];
  /** True if the amounts are credits or another custom unit. Defaults to amounts in the currency. */
  readonly isInCredits?: boolean;
  /** Defaults to US dollars. */
  readonly currency?: string;
};

/** Lists the prices by dimension as customers see them. */
export function CellTable({ label, cells, isInCredits = false, currency = 'usd' }: CellTableProps) {
  const { rate: rates, card: words } = useWords('plan');
  const { locale } = useKit();
  const formats = {
    amount: (decimal: string) =>
      isInCredits ? numberText(Number(decimal), locale, 12) : amountText(decimal, currency, locale),
    bound: (units: number) => quantityText(units, locale),
  };
  return (
    <Table
      label={label}
      rows={cells}
      rowKey={({ condition }) => condition}
      columns={[
        { id: 'when', title: words.when, cell: ({ condition }) => condition || words.rest },
        {
          id: 'price',
          title: words.price,
          cell: ({ rate }) => clauseTexts(rates.clauses, rate, formats),
        },
      ]}
    />
  );
}
