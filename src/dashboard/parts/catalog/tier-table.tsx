import type { RateDocument } from '../../../domain/rates/rate.ts';
import { amountText } from '../../../ui/format/money.ts';
import { tierTexts } from '../../../ui/format/tiers.ts';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { quantityText } from './rate-prices.tsx';

type TierTableProps = { readonly feature: string; readonly rate: RateDocument; readonly currency: string };

/** Shows the tiers of a rate as customers see them. */
export function TierTable({ feature, rate, currency }: TierTableProps) {
  const { tiers: words } = useWords('catalog');
  const { locale } = useKit();
  const count = (value: number) => quantityText(value, locale);
  const amount = (decimal: string) => amountText(decimal, currency, locale);
  const { model, per, minimum, maximum } = rate;
  return (
    <Stack gap={1}>
      <Table
        label={words.label({ feature })}
        rows={tierTexts(rate, { count, amount })}
        rowKey={({ units }) => units}
        columns={[
          { id: 'units', title: words.units, cell: ({ units }) => units },
          { id: 'price', title: words.price, align: 'end', cell: ({ price }) => price },
        ]}
      />
      <Text size="sm" color="muted">
        {[
          model === 'per_unit' ? words.models.per_unit({ per }) : words.models[model],
          ...(minimum === undefined ? [] : [words.minimum({ amount: amount(minimum) })]),
          ...(maximum === undefined ? [] : [words.maximum({ amount: amount(maximum) })]),
        ].join(' ')}
      </Text>
    </Stack>
  );
}
