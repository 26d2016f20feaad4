import { type ReactNode, useEffect } from 'react';
import { bytesText } from '../../../ui/format/numbers.ts';
import { useData } from '../../data/hooks.ts';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { EmptyList } from '../../lists/empty-list.tsx';
import type { ExportRowFragment } from '../../lists/export-row.graphql';
import { ExportActions, ExportState } from '../../lists/export-state.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { ExportListDocument } from './page.graphql';
import { useReload } from './use-reload.ts';

/** Download URLs are valid for one hour and are renewed after 30 minutes. */
const renewMs = 1_800_000;

/** Lists the exports of the environment with their progress and files. Reloads when `closed`, the number of closed forms, increases. */
export const ExportsTable = (props: ExportsTableProps) => (
  <PagesOf page={(after, hand) => <ExportPage {...props} after={after} onConnection={hand} />} />
);

type ExportsTableProps = {
  readonly closed: number;
  /** Button that the empty state shows. */
  readonly emptyAction: ReactNode;
};

type ExportPageProps = ExportsTableProps & {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function ExportPage({ after, closed, emptyAction, onConnection }: ExportPageProps) {
  const words = useWords('exports');
  const { data, error, refetch } = useData(ExportListDocument, { after });
  useConnection(data?.exports, onConnection);
  useReload(closed, refetch);
  useEffect(() => {
    const timer = setInterval(refetch, renewMs);
    return () => clearInterval(timer);
  }, [refetch]);
  if (data === null)
    return error === null ? <Loading lines={6} /> : <DataError error={error} onRetry={refetch} />;
  const { nodes } = data.exports;
  if (nodes.length === 0 && after === null)
    return (
      <EmptyList name="exports" title={words.empty} action={emptyAction}>
        {words.emptyAbout}
      </EmptyList>
    );
  return <ExportTable rows={nodes} />;
}

function ExportTable({ rows }: { readonly rows: readonly ExportRowFragment[] }) {
  const title = useWords('titles').exports;
  const words = useWords('exports');
  const { locale } = useKit();
  return (
    <Card padding="none">
      <Table
        label={title}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'list',
            title: words.list,
            cell: ({ kind, format, gzip }) => (
              <Stack gap={0}>
                <Text weight="medium">{words.kinds[kind]}</Text>
                <Text size="sm" color="muted">
                  {gzip
                    ? words.compressed({ format: words.formats[format].label })
                    : words.formats[format].label}
                </Text>
              </Stack>
            ),
          },
          { id: 'status', title: words.status, cell: (row) => <ExportState of={row} /> },
          {
            id: 'rows',
            title: words.rows,
            align: 'end',
            priority: 'secondary',
            cell: ({ rows: count }) => <Count value={count} />,
          },
          {
            id: 'size',
            title: words.size,
            align: 'end',
            priority: 'secondary',
            cell: ({ bytes }) => bytesText(bytes, locale),
          },
          {
            id: 'created',
            title: words.created,
            priority: 'secondary',
            cell: ({ createdAt }) => <DateTime at={createdAt} />,
          },
          {
            id: 'expires',
            title: words.expires,
            priority: 'secondary',
            cell: ({ expiresAt }) => expiresAt !== null && <DateTime at={expiresAt} />,
          },
          {
            id: 'actions',
            title: <Hidden>{words.actions}</Hidden>,
            cell: (row) => <ExportActions of={row} />,
          },
        ]}
      />
    </Card>
  );
}
