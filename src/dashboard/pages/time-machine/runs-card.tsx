import { useEffect } from 'react';
import { dateTimeText } from '../../../ui/format/dates.ts';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { DataError } from '../../shell/data-error.tsx';
import { RunResult, RunStatus } from './run-result.tsx';
import { TimeRunsDocument } from './runs.graphql';

/** Lists earlier runs with their results. Reloads when `changed` changes, after each run. */
export function RunsCard({ changed }: { readonly changed: string }) {
  const words = useTimeWords();
  const [search, change] = useAddressSearch();
  const { data, error, refetch } = useData(TimeRunsDocument, {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again after each run.
  useEffect(refetch, [changed, refetch]);
  const opened = search['run'];
  return (
    <Card title={words.runs} padding="none">
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={4} />}
      {data !== null && (
        <Table
          label={words.runs}
          rows={data.testClockRuns.nodes}
          rowKey={({ id }) => id}
          empty={words.runsEmpty}
          columns={[
            { id: 'to', title: words.to, cell: ({ targetTime }) => <DateTime at={targetTime} /> },
            {
              id: 'from',
              title: words.from,
              priority: 'secondary',
              cell: ({ startedAtTime }) => <DateTime at={startedAtTime} />,
            },
            { id: 'status', title: words.status, cell: ({ status }) => <RunStatus status={status} /> },
            {
              id: 'executed',
              title: words.executed,
              align: 'end',
              priority: 'secondary',
              cell: ({ completedDeadlineCount }) => <Count value={completedDeadlineCount} />,
            },
            {
              id: 'failed',
              title: words.failed,
              align: 'end',
              priority: 'secondary',
              cell: ({ failedDeadlineCount }) => <Count value={failedDeadlineCount} />,
            },
            {
              id: 'open',
              title: <Hidden>{words.details}</Hidden>,
              align: 'end',
              cell: ({ id }) => (
                <Button size="sm" kind="quiet" onPress={() => change({ run: id }, { isNew: true })}>
                  {words.details}
                </Button>
              ),
            },
          ]}
        />
      )}
      {opened !== undefined && <RunSheet id={opened} onClose={() => change({ run: undefined })} />}
    </Card>
  );
}

function RunSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useTimeWords();
  const kit = useKit();
  const { data } = useData(TimeRunsDocument, {});
  const run = data?.testClockRuns.nodes.find((each) => each.id === id);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      size="lg"
      title={run === undefined ? words.run : words.resultOf({ date: dateTimeText(run.targetTime, kit) })}
    >
      <RunResult id={id} />
    </Sheet>
  );
}
