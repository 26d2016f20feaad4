import type { ResultOf } from '../../../../ui/documents.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Card } from '../../../kit/layout.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { Text } from '../../../kit/text.tsx';
import { Country, Money } from '../../../kit/values.tsx';
import { DataError } from '../../../shell/data-error.tsx';
import { useWords } from '../../../words/words.ts';
import { SettingsTaxExposureDocument } from '../taxes.graphql';

type Exposure = ResultOf<typeof SettingsTaxExposureDocument>['taxExposure'][number];

/** Returns the last 12 months up to today, in UTC. */
function lastYear(now: Date): { readonly from: string; readonly to: string } {
  const from = new Date(now);
  from.setUTCFullYear(now.getUTCFullYear() - 1);
  return { from: from.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
}

function Coverage({ coverage, regions }: Pick<Exposure, 'coverage' | 'regions'>) {
  const words = useWords('taxes').exposure;
  if (coverage === 'none') return <Status tone="warning">{words.none}</Status>;
  return (
    <Status tone="positive">
      {coverage === 'country' ? words.country : words.regions({ codes: regions.join(', ') })}
    </Status>
  );
}

/** Lists countries with sales in the last 12 months and their tax registrations. */
export function TaxExposure() {
  const words = useWords('taxes');
  const { now } = useKit();
  const { data, error, refetch } = useData(SettingsTaxExposureDocument, lastYear(now()));
  return (
    <Card title={words.exposure.title} padding="none">
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {error === null && data === null && <Loading lines={3} />}
      {data !== null && (
        <Table
          label={words.exposure.title}
          rows={data.taxExposure}
          rowKey={({ country, currency }) => `${country} ${currency}`}
          empty={words.exposure.empty}
          columns={[
            {
              id: 'country',
              title: words.country,
              cell: ({ country }) =>
                country === null ? (
                  <Text color="muted">{words.exposure.unknown}</Text>
                ) : (
                  <Country code={country} />
                ),
            },
            {
              id: 'billed',
              title: words.exposure.billed,
              align: 'end',
              cell: ({ billed, currency }) => <Money minor={billed} currency={currency} />,
            },
            {
              id: 'coverage',
              title: words.exposure.coverage,
              cell: ({ coverage, regions }) => <Coverage coverage={coverage} regions={regions} />,
            },
          ]}
        />
      )}
    </Card>
  );
}
