import { Stack } from '../../../kit/layout.tsx';
import { StepBar } from '../../../kit/step-bar.tsx';
import { Table } from '../../../kit/table.tsx';
import { Text } from '../../../kit/text.tsx';
import { Money } from '../../../kit/values.tsx';
import { lengthOf, type PhaseDraft, type PhaseRow, phaseRows } from '../../../parts/catalog/model/phases.ts';
import { useWords } from '../../../words/words.ts';

type PhaseTableProps = {
  readonly phases: readonly PhaseDraft[];
  readonly base: number;
  readonly currency: string;
};

/** Shows the amounts charged for a price with an offer applied, as a chart and per billing period. */
export function PhaseTable({ phases, base, currency }: PhaseTableProps) {
  const { results: words } = useWords('offers');
  const when = ({ from, to, days, index }: PhaseRow) => {
    if (days !== null) return words.days({ count: days });
    if (from === null) return '';
    if (to === null) return index === null ? words.afterwards : words.from({ index: from });
    return from === to ? words.cycle({ index: from }) : words.cycles({ from, to });
  };
  const rows = phaseRows(phases, base, currency);
  const highest = Math.max(1, base, ...rows.map(({ amount }) => amount ?? 0));
  return (
    <Stack gap={2}>
      <StepBar
        steps={rows.map((row) => ({
          id: String(row.index ?? 'after'),
          length: lengthOf(row),
          level: (row.amount ?? 0) / highest,
          isRegular: row.index === null,
        }))}
      />
      <Table
        label={words.title}
        rows={rows}
        rowKey={({ index }) => index ?? 'after'}
        columns={[
          { id: 'when', title: words.when, cell: when },
          {
            id: 'amount',
            title: words.pays,
            align: 'end',
            cell: ({ amount, days }) => {
              if (days !== null) return words.nothing;
              return amount === null ? (
                <Text color="negative">{words.noAmount}</Text>
              ) : (
                <Money minor={amount} currency={currency} />
              );
            },
          },
          {
            id: 'saved',
            title: words.saves,
            align: 'end',
            priority: 'secondary',
            cell: ({ saved }) =>
              saved === null || saved === 0 ? (
                <Text color="faint">–</Text>
              ) : (
                <Text color="positive">
                  <Money minor={saved} currency={currency} />
                </Text>
              ),
          },
        ]}
      />
    </Stack>
  );
}
