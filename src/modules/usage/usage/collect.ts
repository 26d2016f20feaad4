import { gatherEvents } from '../../../graphql/live/event-spans.ts';
import { followEvents, textIn } from '../../../graphql/live/live.ts';
import { mostIds } from '../../../graphql/reading/list-members.ts';
import { type ListArguments, rowListOf } from '../../../graphql/reading/list-rows.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { EventRow } from '../../../outbox/read.ts';
import { readWindow } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { usageEventList } from './list.ts';

/** Number of samples per second. Together with `mostInSample`, limits a stream to 20 events per second. */
const samplesPerSecond = 2;
const mostInSample = 10;

/**
 * Usage stream filter. `null` matches all events. `details` are filters that require the usage row, because the outbox event doesn't
 * contain the filtered values.
 */
export type UsageChoice = {
  readonly customerId: string | null;
  readonly featureCode: string | null;
  readonly details: ListArguments['filter'];
};

/** Sample of the usage events in a time interval, with the number of further matching events. */
export type UsageSample = {
  readonly events: readonly Row<'UsageEvent'>[];
  readonly omitted: number;
  readonly toPosition: bigint;
};

/**
 * Usage events in one time interval: the IDs of the first events, and the number of later events. If the filter has details, contains the
 * IDs of all events.
 */
type Gathered = { readonly ids: string[]; omitted: number; toPosition: bigint };

function add(gathered: Gathered, event: EventRow, { featureCode, details }: UsageChoice): void {
  gathered.toPosition = event.position;
  const id = textIn(event, 'usageEventId');
  if (id === null || (featureCode !== null && textIn(event, 'featureCode') !== featureCode)) return;
  if (details || gathered.ids.length < mostInSample) gathered.ids.push(id);
  else gathered.omitted += 1;
}

/** Returns the events that match the details, in the order in which they were recorded. Runs one statement per 1,000 events. */
async function withDetails(
  ctx: Context,
  ids: readonly string[],
  details: ListArguments['filter'],
): Promise<readonly string[]> {
  if (!details) return ids;
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += mostIds) {
    const part = ids.slice(from, from + mostIds);
    const list = rowListOf(usageEventList, { filter: { ...details, ids: part } }, ctx.clock.now());
    const window = { after: null, before: null, isReversed: true, limit: part.length };
    const rows = await readWindow(ctx.sql, list, { ...window, columns: new Set(['id']) });
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

/** Yields samples of the usage recorded after a position. Time intervals without events yield no sample, and deleted events are skipped. */
export async function* collectUsage(
  ctx: Context,
  choice: UsageChoice,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<UsageSample, void> {
  const { customerId, details } = choice;
  const pages = followEvents(ctx, { kinds: ['usage.recorded'], customerId }, after, stop);
  const samples = gatherEvents<Gathered>(pages, 1_000 / samplesPerSecond, {
    begin: ({ position }) => ({ ids: [], omitted: 0, toPosition: position }),
    add: (gathered, event) => add(gathered, event, choice),
  });
  for await (const { ids, omitted, toPosition } of samples) {
    const wanted = await withDetails(ctx, ids, details);
    if (wanted.length === 0) continue;
    const sampled = wanted.slice(0, mostInSample);
    const rows = await Promise.all(sampled.map((id) => loadRow(ctx, 'UsageEvent', id)));
    yield {
      events: rows.filter((row) => row !== null),
      omitted: omitted + wanted.length - sampled.length,
      toPosition,
    };
  }
}
