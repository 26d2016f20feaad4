import type { Context } from '../../context.ts';
import { gatherEvents } from '../../graphql/event-spans.ts';
import { mostIds } from '../../graphql/list-members.ts';
import { type ListArguments, rowListOf } from '../../graphql/list-rows.ts';
import { followEvents, textIn } from '../../graphql/live.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { EventRow } from '../../outbox/read.ts';
import { readWindow } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';
import { usageEventList } from './list.ts';

/** Samples a second, and the most usage events in each: together no more than 20 a second. */
const samplesPerSecond = 2;
const mostInSample = 10;

/** Which usage is followed; null for all. `details` are members of the filter of the list that the event recorded does not tell. */
export type UsageChoice = {
  readonly customerId: string | null;
  readonly featureCode: string | null;
  readonly details: ListArguments['filter'];
};

/** Usage events as they are recorded, and how many of the same while were left out. */
export type UsageSample = {
  readonly events: readonly Row<'UsageEvent'>[];
  readonly leftOut: number;
  readonly toPosition: bigint;
};

/** Of the usage events of a while the first, by id, and how many came after them; all of them where their rows are still to be asked. */
type Gathered = { readonly ids: string[]; leftOut: number; toPosition: bigint };

function add(gathered: Gathered, event: EventRow, { featureCode, details }: UsageChoice): void {
  gathered.toPosition = event.position;
  const id = textIn(event, 'usageEventId');
  if (id === null || (featureCode !== null && textIn(event, 'featureCode') !== featureCode)) return;
  if (details || gathered.ids.length < mostInSample) gathered.ids.push(id);
  else gathered.leftOut += 1;
}

/** Those of the events that have the details, in the order in which they were recorded. One statement for each thousand. */
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

/** Samples of the usage recorded after a position. None is made of a while without any. An event that is gone is left out. */
export async function* collectUsage(
  ctx: Context,
  choice: UsageChoice,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<UsageSample, void> {
  const { customerId, details } = choice;
  const pages = followEvents(ctx, { kinds: ['usage.recorded'], customerId }, after, stop);
  const samples = gatherEvents<Gathered>(pages, 1_000 / samplesPerSecond, {
    begin: ({ position }) => ({ ids: [], leftOut: 0, toPosition: position }),
    add: (gathered, event) => add(gathered, event, choice),
  });
  for await (const { ids, leftOut, toPosition } of samples) {
    const wanted = await withDetails(ctx, ids, details);
    if (wanted.length === 0) continue;
    const sampled = wanted.slice(0, mostInSample);
    const rows = await Promise.all(sampled.map((id) => loadRow(ctx, 'UsageEvent', id)));
    yield {
      events: rows.filter((row) => row !== null),
      leftOut: leftOut + wanted.length - sampled.length,
      toPosition,
    };
  }
}
