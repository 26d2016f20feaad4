import { useMemo } from 'react';
import { monthText } from '../../../ui/format/dates.ts';
import { basisPointsText, countText, percentText } from '../../../ui/format/numbers.ts';
import { useAddressSearch } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { Cohorts } from '../../kit/charts/cohorts.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { MrrRetentionDocument, type MrrRetentionQuery } from './mrr.graphql';
import { cohortShares, cohortValues, lastMonthOf } from './mrr.ts';
import { lastMonthOver, type Range } from './spans.ts';

const distances = ['one', 'three', 'six', 'twelve', 'twentyFour'] as const;

/** Shows revenue retention at the end of the last completed month, in total and by cohort. */
export function RetentionSection({ range }: { readonly range: Range }) {
  const hour = useHour();
  const { from, to, currency } = range;
  const month = useMemo(() => lastMonthOver(to, new Date(hour)), [to, hour]);
  const { data, error, refetch } = useSeries(MrrRetentionDocument, { month, from, to }, range);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={6} />;
  return (
    <Stack gap={6}>
      <RetentionCard data={data} month={month} currency={currency} />
      <CohortsCard cohorts={data.metricsCohorts} range={range} />
    </Stack>
  );
}

type RetentionProps = {
  readonly data: MrrRetentionQuery;
  readonly month: string;
  readonly currency: string;
};

function RetentionCard({ data, month, currency }: RetentionProps) {
  const { locale } = useKit();
  const words = useWords('mrr');
  const rows = distances.flatMap((distance) =>
    data[distance].filter((one) => one.currency === currency).map((one) => ({ ...one, distance })),
  );
  const count = (value: number) => countText(value, locale);
  const share = (bps: number | null) => (bps === null ? '–' : basisPointsText(bps, locale));
  return (
    <Card
      title={words.retention}
      actions={
        <ExportButton
          kind="metrics_retention"
          label={words.retention}
          variables={{ filter: { month, months: 12 } }}
        />
      }
    >
      <Stack>
        <Text as="p">
          {words.retentionText({ month: monthText(month, { locale }), currency: currency.toUpperCase() })}
        </Text>
        <Table
          label={words.retention}
          rows={rows}
          rowKey={({ distance }) => distance}
          empty={<EmptyState title={words.noRetention}>{words.noRetentionText}</EmptyState>}
          columns={[
            { id: 'since', title: words.since, cell: ({ distance }) => words.monthsAgo[distance] },
            {
              id: 'then',
              title: words.paidThen,
              align: 'end',
              priority: 'secondary',
              cell: ({ customers }) => count(customers),
            },
            {
              id: 'still',
              title: words.stillPay,
              align: 'end',
              priority: 'secondary',
              cell: ({ remaining }) => count(remaining),
            },
            {
              id: 'customers',
              title: words.customersLeft,
              align: 'end',
              cell: ({ customerBps }) => share(customerBps),
            },
            { id: 'gross', title: words.grossLeft, align: 'end', cell: ({ grossBps }) => share(grossBps) },
            { id: 'net', title: words.netLeft, align: 'end', cell: ({ netBps }) => share(netBps) },
          ]}
        />
      </Stack>
    </Card>
  );
}

type CohortsProps = {
  readonly cohorts: MrrRetentionQuery['metricsCohorts'];
  readonly range: Range;
};

function CohortsCard({ cohorts, range: { from, to, currency } }: CohortsProps) {
  const { locale } = useKit();
  const words = useWords('mrr');
  const money = useRates(currency);
  const [search, change] = useAddressSearch();
  const value = cohortValues.find((one) => one === search['cohorts']) ?? 'customers';
  const lastMonth = lastMonthOf(cohorts);
  const rows = cohorts
    .filter((one) => one.currency === currency)
    .map((cohort) => {
      const { size, shares } = cohortShares(cohort, value, lastMonth);
      return {
        id: cohort.month,
        label: monthText(cohort.month, { locale }),
        size: value === 'mrr' ? money.format(size) : countText(size, locale),
        shares,
      };
    });
  return (
    <Card
      title={words.cohorts}
      actions={
        <ExportButton kind="metrics_cohorts" label={words.cohorts} variables={{ filter: { from, to } }} />
      }
    >
      <Stack>
        <Text as="p">{words.cohortsText({ currency: currency.toUpperCase() })}</Text>
        {rows.length === 0 ? (
          <EmptyState title={words.noCohorts}>{words.noCohortsText}</EmptyState>
        ) : (
          <>
            <Select
              label={words.cohortValue}
              value={value}
              options={cohortValues.map((one) => ({ value: one, label: words.cohortValues[one] }))}
              onChange={(chosen) => change({ cohorts: chosen })}
            />
            <Cohorts
              label={words.cohorts}
              cohorts={rows}
              sizeTitle={words.cohortValues[value]}
              format={(share) => percentText(share, locale, { decimals: 0 })}
            />
          </>
        )}
      </Stack>
    </Card>
  );
}
