import type { Context } from '../../context.ts';
import { gatherEvents } from '../../graphql/event-spans.ts';
import { followEvents, textIn } from '../../graphql/live.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { EventRow } from '../../outbox/read.ts';
import type { Row } from '../../platform/db/rows.ts';

/** Samples a second, and the most usage events in each: together no more than 20 a second. */
const samplesPerSecond = 2;
const mostInSample = 10;

/** Which usage is followed; null for all. */
export type UsageChoice = { readonly customerId: string | null; readonly featureCode: string | null };

/** Usage events as they are recorded, and how many of the same while were left out. */
export type UsageSample = {
  readonly events: readonly Row<'UsageEvent'>[];
  readonly leftOut: number;
  readonly toPosition: bigint;
};

/** Of what is recorded in a while the first events, by id, and how many came after them. */
type Gathered = { readonly ids: string[]; leftOut: number; toPosition: bigint };

function add(gathered: Gathered, event: EventRow, featureCode: string | null): void {
  gathered.toPosition = event.position;
  const id = textIn(event, 'usageEventId');
  if (id === null || (featureCode !== null && textIn(event, 'featureCode') !== featureCode)) return;
  if (gathered.ids.length < mostInSample) gathered.ids.push(id);
  else gathered.leftOut += 1;
}

/** Samples of the usage recorded after a position. None is made of a while without any. An event that is gone is left out. */
export async function* collectUsage(
  ctx: Context,
  { customerId, featureCode }: UsageChoice,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<UsageSample, void> {
  const pages = followEvents(ctx, { kinds: ['usage.recorded'], customerId }, after, stop);
  const samples = gatherEvents<Gathered>(pages, 1_000 / samplesPerSecond, {
    begin: ({ position }) => ({ ids: [], leftOut: 0, toPosition: position }),
    add: (gathered, event) => add(gathered, event, featureCode),
  });
  for await (const { ids, leftOut, toPosition } of samples) {
    if (ids.length === 0) continue;
    const rows = await Promise.all(ids.map((id) => loadRow(ctx, 'UsageEvent', id)));
    yield { events: rows.filter((row) => row !== null), leftOut, toPosition };
  }
}
