import { useState } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { BasisPoints, Country, DateText } from '../../kit/values.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { TaxExposure } from './parts/tax-exposure.tsx';
import { SettingsTaxDeleteDocument, SettingsTaxesDocument } from './taxes.graphql';

const TaxDialog = lazyPart(() => import('./parts/tax-dialog.tsx').then((module) => module.TaxDialog));

type Registration = ResultOf<typeof SettingsTaxesDocument>['taxRegistrations']['nodes'][number];

type TableProps = { readonly rows: readonly Registration[]; readonly onRemove: (row: Registration) => void };

function Registrations({ rows, onRemove }: TableProps) {
  const words = useWords('taxes');
  return (
    <Table
      label={words.registrations}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { id: 'country', title: words.country, cell: ({ country }) => <Country code={country} /> },
        { id: 'region', title: words.region, cell: ({ region }) => region ?? words.whole },
        {
          id: 'rate',
          title: words.rate,
          align: 'end',
          cell: ({ rateBps }) => (rateBps === null ? words.standard : <BasisPoints value={rateBps} />),
        },
        {
          id: 'since',
          title: words.since,
          priority: 'secondary',
          cell: ({ createdAt }) => <DateText at={createdAt} />,
        },
        {
          id: 'actions',
          title: <Hidden>{words.actions}</Hidden>,
          align: 'end',
          cell: (row) => (
            <Button size="sm" kind="quiet" onPress={() => onRemove(row)}>
              {words.remove}
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Lists the tax registrations of the organization. */
export default function TaxesPage() {
  const title = useWords('titles').taxes;
  const words = useWords('taxes');
  const { data, error, refetch } = useData(SettingsTaxesDocument, { after: null });
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Registration | null>(null);
  const rows = data?.taxRegistrations.nodes ?? [];
  const add = (
    <Button kind="primary" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  const added = () => {
    setAdding(false);
    refetch();
  };
  return (
    <Page title={title} subtitle={words.text} actions={rows.length > 0 && add}>
      {data === null && error === null && <Loading lines={6} />}
      {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
      <Stack>
        {data !== null && (
          <Card padding="none">
            {rows.length === 0 ? (
              <EmptyState title={words.none} action={add}>
                {words.noneText}
              </EmptyState>
            ) : (
              <Registrations rows={rows} onRemove={setLeaving} />
            )}
          </Card>
        )}
        {data?.taxRegistrations.pageInfo.hasNextPage === true && <Text color="muted">{words.more}</Text>}
        <TaxExposure />
      </Stack>
      {isAdding && <TaxDialog onClose={() => setAdding(false)} onDone={added} />}
      {leaving !== null && (
        <AskDialog
          document={SettingsTaxDeleteDocument}
          input={{ id: leaving.id }}
          title={words.removeTitle}
          texts={[words.removeText]}
          confirm={words.remove}
          done={words.removed}
          onDone={refetch}
          onClose={() => setLeaving(null)}
        />
      )}
    </Page>
  );
}
