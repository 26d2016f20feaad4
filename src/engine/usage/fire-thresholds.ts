import type { Tried } from '../../domain/limits/admission.ts';
import { type Crossing, crossingRow, gaugeAfter } from '../../domain/limits/crossings.ts';
import { crossingEvents } from '../../domain/limits/events.ts';
import { gaugeKey, storedGauge } from '../../domain/limits/gauge.ts';
import { isFalling } from '../../domain/limits/limit.ts';
import { markedAccount } from '../../domain/limits/resolved.ts';
import { standingCrossing } from '../../domain/limits/standing.ts';
import { fallOf } from '../../domain/lots/falls.ts';
import { poolOfAsset } from '../../domain/pricing/pools.ts';
import { isCalculated } from '../../domain/usage/usage-limits.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { inserting } from '../../platform/db/bulk.ts';
import type { Row } from '../../platform/db/rows.ts';
import { newId } from '../../platform/ids.ts';
import type { TransactionContext } from '../../request/context.ts';
import { recordEvents } from '../../request/transaction.ts';
import { type Consuming, readCurrentLimits } from './limit-states.ts';

// Reports the thresholds that the value of a new or changed limit of one customer or budget is beyond (ALR-12).

/** Current value of a limit, and the customer whose usage it counts. */
type Standing = { readonly tried: Tried; readonly consuming: Consuming };

/** Reads the current value of a limit of one customer or budget. `null` if the limit doesn't apply, or if the budget doesn't exist. */
export async function readStanding(
  tx: TransactionContext,
  { id, customerId, budgetKey }: Pick<Row<'Limit'>, 'id' | 'customerId' | 'budgetKey'>,
): Promise<Standing | null> {
  if (customerId === null) return null;
  const current = await readCurrentLimits(tx, customerId, budgetKey);
  if ('code' in current || current.consuming == null) return null;
  const { consuming } = current;
  const tried = current.tried.find(({ limit, node }) => limit.id === id && node.key === budgetKey);
  if (tried === undefined) return null;
  const { account } = consuming;
  const { asset } = tried.limit;
  const isWatched = isFalling(tried.limit) && account !== null && asset !== null;
  const fall = isWatched ? fallOf(account, account, poolOfAsset(asset)) : null;
  return { tried: { ...tried, fall }, consuming };
}

/** Stores the highest value of a limit whose value other rows contain, so that a later correction doesn't rearm its thresholds. */
async function keepPeak(tx: TransactionContext, { tried }: Standing): Promise<void> {
  const { limit, node, at } = tried;
  if (isFalling(limit) || !isCalculated(limit, node)) return;
  const { id, customerId } = node;
  const state = await tx.db.limitState.findFirst({ where: { id } });
  const gauges = { ...state?.gauges, [gaugeKey(limit)]: storedGauge(gaugeAfter(tried), at) };
  if (state === null) await tx.db.limitState.create({ data: { id, customerId, gauges, reached: {} } });
  else await tx.db.limitState.update({ where: { id }, data: { gauges } });
}

/** Notes that an event is sent when the remaining amount is above the thresholds again. */
async function watch(
  tx: TransactionContext,
  { tried, consuming }: Standing,
  crossing: Crossing,
): Promise<void> {
  const { account } = consuming;
  const { fall, limit } = tried;
  if (account === null || fall === null || !limit.notifyResolved) return;
  const mark = markedAccount(account, [tried], [crossing]).pools[fall.pool]?.fall;
  if (mark === undefined) return;
  await tx.sql(
    `UPDATE "ConsumptionAccount" SET pools = jsonb_set(pools, ARRAY[$3, 'fall'], $4::jsonb) WHERE "environmentId" = $1 AND id = $2`,
    [account.id, fall.pool, JSON.stringify(mark)],
  );
}

/**
 * Sends the crossing of the thresholds that a limit is beyond, and stores it in the history. `before` is the limit before its change. The
 * customer must be locked.
 */
export async function fireThresholds(
  tx: TransactionContext,
  limit: Row<'Limit'>,
  before: Standing | null,
): Promise<void> {
  const current = await readStanding(tx, limit);
  if (current === null) return;
  const crossing = standingCrossing(current.tried, before?.tried ?? null);
  if (crossing === null) return;
  await keepPeak(tx, current);
  await watch(tx, current, crossing);
  const now = tx.clock.now();
  const { consuming } = current;
  const { query } = tx.transaction;
  const { seq, position } = await takeNumbers(query, tx.environment.id, { seq: 1, positions: 1 });
  await inserting('LimitCrossing', [{ ...crossingRow(crossing, now, newId), seq }]).run(tx.sql);
  const customerId = consuming.customer.id;
  const events = crossingEvents([crossing], consuming).map((event) => ({
    ...event,
    customerId,
    occurredAt: now,
  }));
  await recordEvents(tx, events, position);
}
