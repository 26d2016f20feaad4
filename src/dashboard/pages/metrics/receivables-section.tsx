import { dateText } from '../../../ui/format/dates.ts';
import { addressOf } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useMoney } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { ageings, daysOfAgeing } from './day-filters.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsReceivablesDocument, type MetricsReceivablesQuery } from './series.graphql';
import type { Range } from './spans.ts';

const kinds = ['payment_', 'invoice_'] as const;

/** Outstanding amounts at the end of the date range's last day. */
export function ReceivablesSection({ range }: { readonly range: Range }) {
  const { to: day, currency } = range;
  const { data, error, refetch } = useSeries(
    MetricsReceivablesDocument,
    { day, currency },
    { ...range, kinds },
  );
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={16} />;
  return (
    <Stack gap={6}>
      {data.metricsReceivables.map((owed) => (
        <Stack key={owed.currency} gap={6}>
          <Notices {...owed} />
          <ReceivablesCard owed={owed} />
        </Stack>
      ))}
    </Stack>
  );
}

type ReceivablesProps = { readonly owed: MetricsReceivablesQuery['metricsReceivables'][number] };

/** Card with outstanding amounts by age. */
function ReceivablesCard({ owed }: ReceivablesProps) {
  const { day, currency, daysSalesOutstanding } = owed;
  const { locale } = useKit();
  const words = useWords('metrics');
  const money = useMoney(currency);
  const text = dateText(day, { locale, timeZone: 'UTC' });
  const point = usePoint(
    'receivables',
    ageings.map((start) => ({ start })),
  );
  const ageing = point.opened?.start;
  return (
    <Card
      title={words.receivables}
      actions={<ExportButton kind="metrics_receivables" variables={{ filter: { day, currency } }} />}
    >
      <Stack>
        <Text as="p">{words.receivablesText({ day: text })}</Text>
        <Columns count={2}>
          <FigureTile label={words.total} value={owed.total === null ? '–' : money.format(owed.total)} />
          <FigureTile
            label={words.daysOutstanding}
            value={daysSalesOutstanding === null ? '–' : words.days({ count: daysSalesOutstanding })}
          />
        </Columns>
        {owed.total === 0 ? (
          <EmptyState title={words.nothingOwed} />
        ) : (
          <BarChart
            label={words.receivables}
            points={ageings.map((id) => ({ id, label: words.ageing[id] }))}
            labelRoom={40}
            onChoose={point.open}
            series={[{ id: 'owed', label: words.receivables, values: ageings.map((one) => owed[one] ?? 0) }]}
            {...money}
          />
        )}
      </Stack>
      {ageing !== undefined && (
        <PointSheet
          title={words.receivables}
          days={text}
          facts={[
            { label: words.daysDue, value: words.ageing[ageing] },
            { label: words.owed, value: owed[ageing] === null ? '–' : money.format(owed[ageing]) },
          ]}
          links={[
            {
              label: words.openInvoices,
              href: addressOf('invoices', null, { view: 'open', ...daysOfAgeing(ageing, day) }),
            },
          ]}
          onClose={point.close}
        />
      )}
    </Card>
  );
}
