import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Status } from '../../kit/badge.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import type { ExportRowFragment } from '../../lists/export-row.graphql';
import { ExportActions, ExportState } from '../../lists/export-state.tsx';
import type { ScheduleRowFragment } from '../../lists/exports.graphql';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleListDocument, ScheduleRunsDocument } from './schedules.graphql';
import { useReload } from './use-reload.ts';

/** Types of the events that are sent when a run ends. */
const kinds = ['export_'] as const;

/** Lists export schedules with their frequency, next run, and last result. Reloads when `closed`, the number of closed forms, increases. */
export function SchedulesTable({ closed }: { readonly closed: number }) {
  const words = useWords('exports');
  const { data, error, refetch } = useData(ScheduleListDocument, {});
  useRefetchOnEvents({ kinds }, refetch);
  useReload(closed, refetch);
  if (data === null)
    return error === null ? <Loading lines={6} /> : <DataError error={error} onRetry={refetch} />;
  const { nodes } = data.exportSchedules;
  if (nodes.length === 0) return <EmptyState title={words.noSchedules}>{words.noSchedulesAbout}</EmptyState>;
  return <Schedules rows={nodes} onChanged={refetch} />;
}

type SchedulesProps = {
  readonly rows: readonly ScheduleRowFragment[];
  readonly onChanged: () => void;
};

/** Loads the last runs of the schedules, by run ID. */
function useLastRuns(rows: readonly ScheduleRowFragment[]): ReadonlyMap<string, ExportRowFragment> {
  const ids = rows.flatMap(({ lastExportId }) => lastExportId ?? []);
  const { data } = useData(ScheduleRunsDocument, { ids }, { isPaused: ids.length === 0 });
  const nodes: readonly (ExportRowFragment | object | null)[] = data?.nodes ?? [];
  const runs = nodes.filter((node): node is ExportRowFragment => node !== null && 'id' in node);
  return new Map(runs.map((run) => [run.id, run]));
}

function Schedules({ rows, onChanged }: SchedulesProps) {
  const words = useWords('exports');
  const runs = useLastRuns(rows);
  return (
    <Card padding="none">
      <Table
        label={words.schedules}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: 'list', title: words.list, cell: (row) => <What of={row} /> },
          { id: 'often', title: words.often, cell: ({ frequency }) => words.oftens[frequency] },
          {
            id: 'next',
            title: words.nextRun,
            cell: ({ isActive, nextRunAt }) =>
              isActive ? <DateTime at={nextRunAt} /> : <Status tone="neutral">{words.paused}</Status>,
          },
          {
            id: 'delivery',
            title: words.delivery,
            priority: 'secondary',
            cell: (row) => <Delivery of={row} />,
          },
          {
            id: 'last',
            title: words.lastRun,
            priority: 'secondary',
            cell: ({ lastRunAt, lastExportId }) => (
              <LastRun at={lastRunAt} run={runs.get(lastExportId ?? '')} />
            ),
          },
          {
            id: 'actions',
            title: <Hidden>{words.actions}</Hidden>,
            cell: (row) => <ScheduleActions of={row} onChanged={onChanged} />,
          },
        ]}
      />
    </Card>
  );
}

/** Shows the exported list, the format, and whether runs contain only new rows. */
function What({ of: { kind, format, gzip, isIncremental } }: { readonly of: ScheduleRowFragment }) {
  const words = useWords('exports');
  const { label } = words.formats[format];
  const text = gzip ? words.compressed({ format: label }) : label;
  return (
    <Stack gap={0}>
      <Text weight="medium">{words.kinds[kind]}</Text>
      <Text size="sm" color="muted">
        {isIncremental ? `${text} · ${words.incremental}` : text}
      </Text>
    </Stack>
  );
}

/** Shows the URL that receives the files, and the error of the last delivery. */
function Delivery({
  of: { deliveryUrl, deliveryError, deliveryFailures },
}: {
  readonly of: ScheduleRowFragment;
}) {
  const words = useWords('exports');
  if (deliveryUrl === null) return <Text color="muted">{words.downloadOnly}</Text>;
  return (
    <Stack gap={1}>
      <Text size="sm">{deliveryUrl}</Text>
      {deliveryError !== null && (
        <>
          <div>
            <Status tone="negative">{words.undelivered({ count: deliveryFailures })}</Status>
          </div>
          <Text size="sm" color="muted">
            {deliveryError}
          </Text>
        </>
      )}
    </Stack>
  );
}

type LastRunProps = { readonly at: string | null; readonly run: ExportRowFragment | undefined };

/** Shows the result of the last run: its files, or the reason why it failed. */
function LastRun({ at, run }: LastRunProps) {
  const words = useWords('exports');
  if (at === null) return <Text color="muted">{words.noRun}</Text>;
  return (
    <Stack gap={1}>
      <DateTime at={at} />
      {run !== undefined && (
        <>
          <ExportState of={run} />
          <ExportActions of={run} />
        </>
      )}
    </Stack>
  );
}
