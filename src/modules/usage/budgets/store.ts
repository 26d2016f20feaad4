import { type QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { mostBudgets, tooManyBudgets } from '../../../domain/limits/new-budgets.ts';
import { keyProblem, mostLevels } from '../../../domain/limits/problems.ts';
import type { Metadata } from '../../../domain/text/json.ts';
import { lockCustomer } from '../../../engine/usage/lock-customer.ts';
import { renewLimits } from '../../../engine/usage/renew-limits.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { requireCustomer } from '../../customers/customers/store.ts';

export type BudgetRow = Row<'Budget'>;

const invalid = (field: string, message: string): QuittanceError => validationError([{ field, message }]);

/** Returns a budget of a customer. Throws `customer_not_found` and `not_found`. `param` is the input that contains the key. */
export async function requireBudget(
  ctx: Context,
  customerId: string,
  key: string,
  param = 'key',
): Promise<BudgetRow> {
  const customer = await requireCustomer(ctx, customerId, 'customerId');
  const row = await ctx.db.budget.findFirst({ where: { customerId: customer.id, key } });
  if (row === null) throw specificError('not_found', 'budget', { param });
  return row;
}

/** Throws `validation_error` if the customer's budget with the key is archived. A budget that doesn't exist can be created later. */
export async function rejectArchivedBudget(
  ctx: Context,
  customerId: string,
  key: string,
  param: string,
): Promise<void> {
  const row = await ctx.db.budget.findFirst({ where: { customerId, key } });
  if (row !== null && row.archivedAt !== null)
    throw invalid(param, 'must not be the key of an archived budget');
}

/** Returns the IDs of the customer and of its budgets whose limits have counted usage. */
export async function readUsedBudgets(ctx: Context, customerId: string): Promise<ReadonlySet<string>> {
  const rows = await ctx.sql<{ id: string }>(
    'SELECT id FROM "LimitState" WHERE "environmentId" = $1 AND "customerId" = $2',
    [customerId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the key of a budget. `null` if the ID is `null`. Batched. */
export const loadBudgetKey = async (ctx: Context, id: string | null): Promise<string | null> =>
  id === null ? null : (await loadExistingRow(ctx, 'Budget', id, new Set(['key']))).key;

/** Returns the numbers of levels above and below a budget, including the budget itself. */
async function levelsOf(
  tx: Context,
  id: string,
): Promise<{ above: number; below: number; descendants: Set<string> }> {
  const rows = await tx.sql<{ id: string; depth: number; isAbove: boolean }>(
    `WITH RECURSIVE above AS (
       SELECT id, "parentId", 1 AS depth FROM "Budget" WHERE "environmentId" = $1 AND id = $2
       UNION ALL SELECT p.id, p."parentId", a.depth + 1 FROM above a
         JOIN "Budget" p ON p."environmentId" = $1 AND p.id = a."parentId" WHERE a.depth <= $3),
     below AS (
       SELECT id, 1 AS depth FROM "Budget" WHERE "environmentId" = $1 AND id = $2
       UNION ALL SELECT c.id, b.depth + 1 FROM below b
         JOIN "Budget" c ON c."environmentId" = $1 AND c."parentId" = b.id WHERE b.depth <= $3)
     SELECT id, depth, true AS "isAbove" FROM above UNION ALL SELECT id, depth, false FROM below`,
    [id, mostLevels],
  );
  const most = (isAbove: boolean): number =>
    Math.max(...rows.filter((row) => row.isAbove === isAbove).map(({ depth }) => depth));
  return {
    above: most(true),
    below: most(false),
    descendants: new Set(rows.filter(({ isAbove }) => !isAbove).map((row) => row.id)),
  };
}

/** Returns the node of a customer, or of its budget with the budgets below it. `null` if the budget doesn't exist yet. */
export async function findNode(
  tx: TransactionContext,
  customerId: string,
  key: string | null,
): Promise<{ readonly id: string; readonly budgetIds: readonly string[] | null } | null> {
  if (key === null) return { id: customerId, budgetIds: null };
  const budget = await tx.db.budget.findFirst({ where: { customerId, key } });
  if (budget === null) return null;
  const { descendants } = await levelsOf(tx, budget.id);
  return { id: budget.id, budgetIds: [...descendants] };
}

/**
 * Returns the ID of a parent. `null` if the parent is the customer. Throws `validation_error` if the parent doesn't exist or is archived, or if the
 * tree would have too many levels or a cycle. `moved` is the budget that gets the parent.
 */
async function parentOf(
  tx: TransactionContext,
  customerId: string,
  parentKey: string | null,
  moved: BudgetRow | null,
): Promise<string | null> {
  if (parentKey === null) return null;
  const parent = await tx.db.budget.findFirst({ where: { customerId, key: parentKey } });
  if (parent === null || parent.archivedAt !== null)
    throw invalid('parentKey', 'must be the key of a budget of the customer that is not archived');
  const { above } = await levelsOf(tx, parent.id);
  const own = moved === null ? null : await levelsOf(tx, moved.id);
  if (own?.descendants.has(parent.id) === true)
    throw invalid('parentKey', 'must not be the budget itself or a budget below it');
  if (above + (own?.below ?? 1) > mostLevels)
    throw invalid('parentKey', `must not have more than ${mostLevels} levels of budgets below the customer`);
  return parent.id;
}

type NewBudget = {
  readonly customerId: string;
  readonly key: string;
  readonly parentKey?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly metadata?: unknown;
};

/** Creates a budget. Throws `duplicate` if the customer has a budget with the key, and `validation_error`. */
export const createBudget = (ctx: Context, input: NewBudget): Promise<BudgetRow> =>
  inTransaction(ctx, async (tx) => {
    const { key, parentKey, name, metadata } = input;
    const problem = keyProblem(key);
    if (problem !== null) throw invalid('key', problem);
    const { id: customerId } = await requireCustomer(tx, input.customerId, 'customerId');
    await lockCustomer(tx.sql, customerId);
    const taken = await tx.db.budget.findFirst({ where: { customerId, key } });
    if (taken !== null) throw specificError('duplicate', 'budget_key', { param: 'key' });
    if ((await tx.db.budget.count({ where: { customerId } })) >= mostBudgets)
      throw invalid('key', tooManyBudgets);
    const parentId = await parentOf(tx, customerId, parentKey ?? null, null);
    const now = tx.clock.now();
    return tx.db.budget.create({
      data: {
        id: newId('bud'),
        seq: await nextSeq(tx),
        customerId,
        key,
        parentId,
        name: name ?? null,
        // Metadata is stored as received.
        metadata: (metadata ?? {}) as Metadata,
        archivedAt: null,
        createdAt: now,
        updatedAt: now,
      },
    });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? specificError('duplicate', 'budget_key', { param: 'key' }) : error;
  });

type BudgetChanges = Omit<NewBudget, 'parentKey'> & { readonly parentKey?: string | null | undefined };

/** Locks a budget's customer, changes the budget, and returns it. */
const changeBudget = (
  ctx: Context,
  { customerId: reference, key }: Pick<NewBudget, 'customerId' | 'key'>,
  changesOf: (tx: TransactionContext, row: BudgetRow) => Promise<Partial<BudgetRow>>,
): Promise<BudgetRow> =>
  inTransaction(ctx, async (tx) => {
    const { id: customerId } = await requireCustomer(tx, reference, 'customerId');
    await lockCustomer(tx.sql, customerId);
    const row = await requireBudget(tx, customerId, key);
    const changes = await changesOf(tx, row);
    if (Object.keys(changes).length === 0) return row;
    const data = { ...changes, updatedAt: tx.clock.now() };
    await tx.db.budget.update({ where: { id: row.id }, data });
    if ('parentId' in changes || 'archivedAt' in changes) await renewLimits(tx);
    return { ...row, ...data };
  });

/** Changes the name, the parent, or the metadata of a budget. Recorded usage doesn't move to the new parent. */
export const updateBudget = (ctx: Context, input: BudgetChanges): Promise<BudgetRow> =>
  changeBudget(ctx, input, async (tx, row) => {
    const { name, metadata, parentKey } = input;
    const parentId =
      parentKey === undefined ? row.parentId : await parentOf(tx, row.customerId, parentKey, row);
    return {
      ...(name === undefined ? {} : { name }),
      ...(metadata == null ? {} : { metadata: metadata as Metadata }),
      ...(parentId === row.parentId ? {} : { parentId }),
    };
  });

/** Archives a budget, so that usage can no longer name it. An archived budget is returned unchanged. */
export const archiveBudget = (
  ctx: Context,
  named: { readonly customerId: string; readonly key: string },
): Promise<BudgetRow> =>
  changeBudget(ctx, named, async (tx, { archivedAt }) =>
    archivedAt === null ? { archivedAt: tx.clock.now() } : {},
  );
