import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import { shownCustomerId } from '../../../domain/events/event-data.ts';
import type { EventKind } from '../../../domain/events/events.ts';
import { kindOf } from '../../../domain/limits/admission.ts';
import { shownAmount, unitOf } from '../../../domain/limits/entry.ts';
import { isFalling, type LimitRow } from '../../../domain/limits/limit.ts';
import { whole } from '../../../domain/rates/exact.ts';
import { readCurrentLimits } from '../../../engine/usage/limit-states.ts';
import { renewLimits } from '../../../engine/usage/renew-limits.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { type CustomerRow, requireCustomer } from '../../customers/customers/store.ts';
import { requireBudget } from '../budgets/store.ts';
import { type LimitRaiseRow, limitRows, requireRaise, type StoredLimit } from './store.ts';

type RaiseInput = {
  readonly id: string;
  readonly node?:
    | { readonly customer: string; readonly budget?: string | null | undefined }
    | null
    | undefined;
  readonly amount: number;
  readonly until?: Date | null | undefined;
  readonly reason?: string | null | undefined;
};

/** Customer and budget of a raise. */
type RaisedNode = { readonly customer: CustomerRow; readonly budget: string | null };

/** Returns the node whose limit is raised. Throws `validation_error` if a template has no node, or if the limit doesn't apply to it. */
async function nodeOf(tx: Context, limit: StoredLimit, node: RaiseInput['node']): Promise<RaisedNode> {
  if (node == null) {
    if (limit.each !== null || limit.customerId === null)
      throw validationError([{ field: 'node', message: 'is required for a template' }]);
    return {
      customer: await requireCustomer(tx, limit.customerId, 'node.customer'),
      budget: limit.budgetKey,
    };
  }
  return { customer: await requireCustomer(tx, node.customer, 'node.customer'), budget: node.budget ?? null };
}

async function recordRaise(
  tx: Context,
  kind: Extract<EventKind, 'limit.raised' | 'limit.raise_ended'>,
  limit: LimitRow,
  raise: LimitRaiseRow,
  {
    customer,
    path,
    subscriptionId,
  }: { customer: CustomerRow; path: readonly string[]; subscriptionId: string | null },
): Promise<void> {
  const { budgetKey, reason, amount, until } = raise;
  const data = {
    customerId: shownCustomerId(customer),
    subscriptionId,
    limitId: limit.id,
    name: limit.name,
    node: { kind: kindOf(budgetKey), key: budgetKey, path },
    measure: limit.measure,
    unit: unitOf(limit),
    raiseId: raise.id,
    raise: shownAmount(limit, whole(amount)),
    until: until.toISOString(),
    reason,
  };
  const occurredAt = tx.clock.now();
  await recordEvents(tx, [{ kind, subscriptionId, customerId: customer.id, occurredAt, data }]);
}

const isOf =
  (limit: StoredLimit, budget: string | null) =>
  (tried: { readonly limit: { readonly id: string }; readonly node: { readonly key: string | null } }) =>
    tried.limit.id === limit.id && tried.node.key === budget;

async function createRaise(tx: TransactionContext, input: RaiseInput): Promise<LimitRaiseRow> {
  const limit = await limitRows.lock(tx, input.id);
  if (isFalling(limit))
    throw validationError([{ field: 'amount', message: "can't be added, because the limit is a minimum" }]);
  if (limit.amount === null && limit.share === null && limit.amounts.length === 0)
    throw validationError([{ field: 'amount', message: "can't be added, because the limit has no amount" }]);
  const { customer, budget } = await nodeOf(tx, limit, input.node);
  const stored = budget === null ? null : await requireBudget(tx, customer.id, budget, 'node.budget');
  const current = await readCurrentLimits(tx, customer.id, budget);
  if ('code' in current)
    throw new QuittanceError({
      ...current,
      param: current.param === 'budget' ? 'node.budget' : 'node.customer',
    });
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
  const raise = await tx.db.limitRaise.create({
    data: {
      id: newId('lrs'),
      seq: await nextSeq(tx),
      limitId: limit.id,
      nodeId: stored?.id ?? customer.id,
      customerId: customer.id,
      budgetKey: budget,
      amount: BigInt(input.amount),
      reason: input.reason ?? null,
      until,
      createdAt: now,
    },
  });
  await renewLimits(tx);
  const about = { customer, path: tried.node.path, subscriptionId: current.subscriptionId };
  await recordRaise(tx, 'limit.raised', tried.limit, raise, about);
  return raise;
}

/**
 * Raises a limit of a customer or a budget until a time. Throws `not_found` and `customer_not_found`. Throws `validation_error` if the
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
    const raise = await requireRaise(tx, limit.id, raiseId);
    const now = tx.clock.now();
    if (raise.until <= now) return raise;
    const customer = await requireCustomer(tx, raise.customerId);
    const current = await readCurrentLimits(tx, customer.id, raise.budgetKey);
    const { tried, subscriptionId } = 'code' in current ? { tried: [], subscriptionId: null } : current;
    const ended = { ...raise, until: now };
    await tx.db.limitRaise.update({ where: { id: raise.id }, data: { until: now } });
    await renewLimits(tx);
    const found = tried.find(isOf(limit, raise.budgetKey));
    const path = found?.node.path ?? [];
    await recordRaise(tx, 'limit.raise_ended', found?.limit ?? limit, ended, {
      customer,
      path,
      subscriptionId,
    });
    return ended;
  });
