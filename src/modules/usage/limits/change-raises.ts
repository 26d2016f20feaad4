import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import { shownCustomerId } from '../../../domain/events/event-data.ts';
import type { EventKind } from '../../../domain/events/events.ts';
import { kindOf } from '../../../domain/limits/admission.ts';
import { type NodeEntry, nodeEntry, shownAmount, unitOf } from '../../../domain/limits/entry.ts';
import {
  countsOperations,
  isFalling,
  isShared,
  type LimitRow,
  limitedCaller,
} from '../../../domain/limits/limit.ts';
import { closesAt, storedLimit } from '../../../domain/limits/operation-limits.ts';
import { sharedLevel } from '../../../domain/limits/shared.ts';
import { whole } from '../../../domain/rates/exact.ts';
import { type CurrentLimits, readCurrentLimits } from '../../../engine/usage/limit-states.ts';
import { renewLimits } from '../../../engine/usage/renew-limits.ts';
import { readSharedValues } from '../../../engine/usage/shared-values.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { type CustomerRow, requireCustomer } from '../../customers/customers/store.ts';
import { requireBudget } from '../budgets/store.ts';
import { demandLimitAccess } from './check-callers.ts';
import { raisedOperationNode } from './find-raised.ts';
import { type LimitRaiseRow, limitRows, requireRaise, type StoredLimit } from './store.ts';

type RaiseInput = {
  readonly id: string;
  readonly node?:
    | {
        readonly customer?: string | null | undefined;
        readonly budget?: string | null | undefined;
        readonly apiKey?: string | null | undefined;
        readonly member?: string | null | undefined;
      }
    | null
    | undefined;
  readonly amount: number;
  readonly until?: Date | null | undefined;
  readonly reason?: string | null | undefined;
};

/** Customer and budget of a raise. `customer` is `null` if the limit applies to the organization or a plan. */
type RaisedNode = { readonly customer: CustomerRow | null; readonly budget: string | null };

/** Returns the current values of the limits of a node. Throws if the budget or the customer can't be used. */
async function currentOf(tx: Context, { customer, budget }: RaisedNode): Promise<CurrentLimits> {
  if (customer === null) return { tried: await readSharedValues(tx), subscriptionId: null };
  const current = await readCurrentLimits(tx, customer.id, budget);
  if (!('code' in current)) return current;
  throw new QuittanceError({
    ...current,
    param: current.param === 'budget' ? 'node.budget' : 'node.customer',
  });
}

/** Returns the node whose limit is raised. Throws `validation_error` if a template has no node, or if the limit doesn't apply to it. */
async function nodeOf(tx: Context, limit: StoredLimit, node: RaiseInput['node']): Promise<RaisedNode> {
  if (isShared(limit)) {
    if (node != null)
      throw validationError([{ field: 'node', message: 'must not be set for the organization or a plan' }]);
    return { customer: null, budget: null };
  }
  if (node == null) {
    if (limit.each !== null || limit.customerId === null)
      throw validationError([{ field: 'node', message: 'is required for a template' }]);
    return {
      customer: await requireCustomer(tx, limit.customerId, 'node.customer'),
      budget: limit.budgetKey,
    };
  }
  if (node.customer == null) throw validationError([{ field: 'node.customer', message: 'is required' }]);
  return { customer: await requireCustomer(tx, node.customer, 'node.customer'), budget: node.budget ?? null };
}

/** Stores a raise of a node. */
const storeRaise = async (
  tx: TransactionContext,
  raise: Omit<LimitRaiseRow, 'environmentId' | 'id' | 'seq' | 'createdAt'>,
  createdAt: Date,
): Promise<LimitRaiseRow> => {
  const row = await tx.db.limitRaise.create({
    data: { ...raise, id: newId('lrs'), seq: await nextSeq(tx), createdAt },
  });
  await renewLimits(tx);
  return row;
};

async function recordRaise(
  tx: Context,
  kind: Extract<EventKind, 'limit.raised' | 'limit.raise_ended'>,
  limit: LimitRow,
  raise: LimitRaiseRow,
  {
    customer,
    node,
    subscriptionId,
  }: { customer: CustomerRow | null; node: NodeEntry; subscriptionId: string | null },
): Promise<void> {
  const { reason, amount, until } = raise;
  const data = {
    customerId: customer === null ? null : shownCustomerId(customer),
    subscriptionId,
    limitId: limit.id,
    name: limit.name,
    node,
    measure: limit.measure,
    unit: unitOf(limit),
    raiseId: raise.id,
    raise: shownAmount(limit, whole(amount)),
    until: until.toISOString(),
    reason,
  };
  const occurredAt = tx.clock.now();
  await recordEvents(tx, [{ kind, subscriptionId, customerId: customer?.id ?? null, occurredAt, data }]);
}

const isOf =
  (limit: StoredLimit, budget: string | null) =>
  (tried: { readonly limit: { readonly id: string }; readonly node: { readonly key: string | null } }) =>
    tried.limit.id === limit.id && tried.node.key === budget;

/** Returns the clock of the windows of a limit: real time for API keys and members (LIM-30). */
const clockOf = (tx: Context, limit: LimitRow): Context['clock'] =>
  limitedCaller(limit) === null ? tx.clock : tx.wall;

/** Returns the node of a raise in API format. The limit can't apply to the node anymore. */
function endedNode(limit: StoredLimit, { budgetKey, nodeId }: LimitRaiseRow): NodeEntry {
  const caller = limitedCaller(limit);
  if (caller !== null) return { kind: caller, key: nodeId, path: [] };
  return { kind: isShared(limit) ? sharedLevel(limit) : kindOf(budgetKey), key: budgetKey, path: [] };
}

/** Raises a limit on operations of an API key, a member, or a customer. */
async function raiseOperations(
  tx: TransactionContext,
  limit: StoredLimit,
  { node: given, amount, reason = null, until: stated }: RaiseInput,
): Promise<LimitRaiseRow> {
  const node = await raisedOperationNode(tx, limit, given ?? null);
  const now = clockOf(tx, limit).now();
  const timeZone = node.customer?.timezone ?? 'UTC';
  const end = closesAt(storedLimit(limit, { raise: 0n, timeZone }), now);
  const until = stated ?? end;
  if (until === null)
    throw validationError([
      { field: 'until', message: 'is required, because no window with an end is open' },
    ]);
  if (until <= now) throw validationError([{ field: 'until', message: 'must be in the future' }]);
  const terms = {
    limitId: limit.id,
    nodeId: node.id,
    customerId: node.customer?.id ?? null,
    budgetKey: null,
  };
  const raise = await storeRaise(tx, { ...terms, amount: BigInt(amount), reason, until }, now);
  const about = { customer: node.customer, node: endedNode(limit, raise), subscriptionId: null };
  await recordRaise(tx, 'limit.raised', limit, raise, about);
  return raise;
}

async function createRaise(tx: TransactionContext, input: RaiseInput): Promise<LimitRaiseRow> {
  const limit = await limitRows.lock(tx, input.id);
  demandLimitAccess(tx, limit);
  if (isFalling(limit))
    throw validationError([{ field: 'amount', message: "can't be added, because the limit is a minimum" }]);
  if (limit.amount === null && limit.share === null && limit.amounts.length === 0)
    throw validationError([{ field: 'amount', message: "can't be added, because the limit has no amount" }]);
  if (countsOperations(limit)) return raiseOperations(tx, limit, input);
  const raised = await nodeOf(tx, limit, input.node);
  const { customer, budget } = raised;
  const stored =
    customer === null || budget === null ? null : await requireBudget(tx, customer.id, budget, 'node.budget');
  const current = await currentOf(tx, raised);
  const tried = current.tried.find(isOf(limit, budget));
  if (tried === undefined)
    throw validationError([
      { field: 'node', message: 'must be a customer or budget to which the limit applies' },
    ]);
  const now = tx.clock.now();
  const end = tried.gauge.span?.end ?? null;
  const until = input.until ?? (end === null ? null : new Date(end));
  if (until === null)
    throw validationError([
      { field: 'until', message: 'is required, because no window with an end is open' },
    ]);
  if (until <= now) throw validationError([{ field: 'until', message: 'must be in the future' }]);
  const terms = {
    limitId: limit.id,
    nodeId: stored?.id ?? tried.node.id,
    customerId: customer?.id ?? null,
    budgetKey: budget,
    amount: BigInt(input.amount),
    reason: input.reason ?? null,
    until,
  };
  const raise = await storeRaise(tx, terms, now);
  const about = { customer, node: nodeEntry(tried), subscriptionId: current.subscriptionId };
  await recordRaise(tx, 'limit.raised', tried.limit, raise, about);
  return raise;
}

/**
 * Raises a limit of a node until a time. Throws `not_found` and `customer_not_found`. Throws `validation_error` if the
 * limit doesn't apply to the node, or if the end isn't in the future.
 */
export const raiseLimit = (ctx: Context, input: RaiseInput): Promise<LimitRaiseRow> =>
  inTransaction(ctx, (tx) => createRaise(tx, input));

/** Ends a raise now. Changes nothing if it has ended. Throws `not_found`. */
export const endRaise = (
  ctx: Context,
  { id, raiseId }: { readonly id: string; readonly raiseId: string },
): Promise<LimitRaiseRow> =>
  inTransaction(ctx, async (tx) => {
    const limit = await limitRows.lock(tx, id);
    demandLimitAccess(tx, limit);
    const raise = await requireRaise(tx, limit.id, raiseId);
    const now = clockOf(tx, limit).now();
    if (raise.until <= now) return raise;
    const { customerId, budgetKey: budget } = raise;
    const customer = customerId === null ? null : await requireCustomer(tx, customerId);
    // Limits on operations have no current values of usage. The budget can have been archived since.
    const current = countsOperations(limit)
      ? Promise.resolve({ tried: [], subscriptionId: null })
      : currentOf(tx, { customer, budget });
    const { tried, subscriptionId } = await current.catch((error: unknown) => {
      if (error instanceof QuittanceError) return { tried: [], subscriptionId: null };
      throw error;
    });
    const ended = { ...raise, until: now };
    await tx.db.limitRaise.update({ where: { id: raise.id }, data: { until: now } });
    await renewLimits(tx);
    const found = tried.find(isOf(limit, budget));
    const node = found === undefined ? endedNode(limit, raise) : nodeEntry(found);
    await recordRaise(tx, 'limit.raise_ended', found?.limit ?? limit, ended, {
      customer,
      node,
      subscriptionId,
    });
    return ended;
  });
