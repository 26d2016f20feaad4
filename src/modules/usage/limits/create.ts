import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { isBlocking, kindOf } from '../../../domain/limits/admission.ts';
import {
  type CurrencyAmount,
  isFalling,
  isShared,
  type LimitAnomaly,
  type LimitRow,
  limitWindow,
} from '../../../domain/limits/limit.ts';
import { hasOwnGauge } from '../../../domain/limits/past-usage.ts';
import { countsAlike, isBudgetKind, keyProblem, limitProblems } from '../../../domain/limits/problems.ts';
import { isFinal } from '../../../domain/meters/meter.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { lockCustomer } from '../../../engine/usage/lock-customer.ts';
import { includePastUsage } from '../../../engine/usage/past-usage.ts';
import { renewLimits } from '../../../engine/usage/renew-limits.ts';
import { openShared, wakeForShared } from '../../../engine/usage/shared-past.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { lockAsset } from '../../catalog/credit-packs/store.ts';
import { planRows } from '../../catalog/plans/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { findNode, rejectArchivedBudget } from '../budgets/store.ts';
import { checkRecipients } from './check-recipients.ts';
import { checkShare } from './check-share.ts';
import { findFeatures, limitRows, requireOnlyReplacement, requireRoom, type StoredLimit } from './store.ts';
import type { AmountInput, LimitInput, ScopeInput, ThresholdInput } from './types/inputs.ts';

type Scope = Pick<LimitRow, 'customerId' | 'budgetKey' | 'each' | 'planId'>;

const invalidScope = (message: string, field = 'scope'): QuittanceError =>
  validationError([{ field, message }]);

const defaultChannels: LimitRow['channels'] = ['webhook'];

const noScope = { customerId: null, budgetKey: null, each: null, planId: null } as const;

/** Resolves the scope of a limit. Throws `validation_error`, `customer_not_found`, or `plan_not_found`. */
async function scopeOf(ctx: Context, input: ScopeInput): Promise<Scope> {
  const { organization: isAll, plan: ofPlan, customer, budget, each, in: within } = input;
  if (isAll === true || ofPlan != null) {
    const others = [isAll === true && ofPlan != null, customer != null, budget != null, each != null];
    if (within != null || others.includes(true))
      throw invalidScope('must have no other field if it has `organization` or `plan`');
    if (ofPlan == null) return noScope;
    return { ...noScope, planId: (await planRows.require(ctx, ofPlan, 'scope.plan')).id };
  }
  if (each == null) {
    if (within != null) throw invalidScope('must have `each` if it has `in`');
    if (customer == null) throw invalidScope('must have `organization`, `plan`, `customer`, or `each`');
    const problem = budget == null ? null : keyProblem(budget);
    if (problem !== null) throw invalidScope(problem, 'scope.budget');
    const { id } = await requireCustomer(ctx, customer, 'scope.customer');
    if (budget != null) await rejectArchivedBudget(ctx, id, budget, 'scope.budget');
    return { ...noScope, customerId: id, budgetKey: budget ?? null };
  }
  if (customer != null || budget != null)
    throw invalidScope('must not have `customer` or `budget` if it has `each`');
  if (each !== 'customer' && !isBudgetKind(each))
    throw invalidScope('must be `customer` or a kind of budgets, such as `team`', 'scope.each');
  const { organization, plan, customer: of } = within ?? {};
  const given = [organization === true, plan != null, of != null].filter((isGiven) => isGiven).length;
  if (given !== 1)
    throw invalidScope('must have exactly one of `organization`, `plan`, and `customer`', 'scope.in');
  if (of != null) {
    if (each === 'customer') throw invalidScope('must be a kind of budgets in a customer', 'scope.each');
    const { id } = await requireCustomer(ctx, of, 'scope.in.customer');
    return { ...noScope, each, customerId: id };
  }
  if (plan == null) return { ...noScope, each };
  return { ...noScope, each, planId: (await planRows.require(ctx, plan, 'scope.in.plan')).id };
}

/** Converts the thresholds of a request. */
export const thresholdsIn = (
  thresholds: readonly ThresholdInput[] | null | undefined,
  limit: Pick<LimitRow, 'measure'>,
): LimitRow['thresholds'] =>
  (thresholds ?? []).map(({ amount, bps, of, rearm }) => ({
    amount: amount ?? null,
    bps: bps ?? null,
    ...(of == null ? {} : { of }),
    rearm: rearm ?? (isFalling(limit) ? 'refill' : limit.measure === 'level' ? 'recross' : 'window'),
  }));

/** Converts the amounts per currency of a request. */
export const amountsIn = (amounts: readonly CurrencyAmount[] | null | undefined): LimitRow['amounts'] =>
  (amounts ?? []).map(({ currency, amount }) => ({ currency, amount }));

/** Converts the unusual values of a request. */
export const anomalyIn = (anomaly: LimitAnomaly | null | undefined): LimitAnomaly | null =>
  anomaly == null ? null : { factor: anomaly.factor, minimum: anomaly.minimum };

/** Converts the amount of a request, which can be a share of another number. */
export const amountIn = (amount: AmountInput | null | undefined): Pick<LimitRow, 'amount' | 'share'> => ({
  amount: typeof amount === 'number' ? BigInt(amount) : null,
  share: typeof amount === 'object' ? amount : null,
});

/**
 * Checks the features of a limit. Throws `feature_not_found` if a feature doesn't exist. Throws `validation_error` if the limit blocks
 * units whose total isn't known immediately.
 */
async function checkFeatures(ctx: Context, input: LimitInput, codes: readonly string[]): Promise<void> {
  const features = await findFeatures(ctx, codes);
  const missing = codes.find((code) => !features.some((feature) => feature.code === code));
  if (missing !== undefined)
    throw specificError('feature_not_found', 'by_code', {
      values: { code: missing },
      param: 'filter.features',
    });
  const counted = features.filter(({ type }) => type === 'seats' || type === 'quota');
  if (input.measure === 'level' && counted.length < codes.length)
    throw validationError([
      { field: 'filter.features', message: 'must be a seats or quota feature for the measure `level`' },
    ]);
  const isLate = features.some(({ meters }) => meters.some(isFinal));
  if (input.measure === 'units' && isBlocking(input) && isLate)
    throw new QuittanceError({
      code: 'validation_error',
      message:
        'The total of the feature is known only at the end of the usage window. Use the action `notify`.',
      param: 'filter.features',
      details: { reason: 'not_known_at_once' },
    });
}

/** Throws `validation_error` unless the asset can be deducted from, or can be the unit of prices for `value`. */
async function checkAsset(
  tx: Context,
  { measure, asset }: Pick<LimitRow, 'measure' | 'asset'>,
): Promise<void> {
  const isPrepaid = measure !== 'value';
  if (asset === null || (isPrepaid && isCurrency(asset))) return;
  if ((await lockAsset(tx, asset)) !== null) return;
  throw validationError([
    {
      field: 'asset',
      message: isPrepaid
        ? 'must be the code of a custom unit, or the lowercase code of a currency'
        : 'must be the code of a custom unit',
    },
  ]);
}

/** Returns the template that a limit replaces. Throws `validation_error` unless it applies to the node of the limit. */
async function templateOf(tx: Context, id: string, scope: Scope): Promise<StoredLimit> {
  const template = scope.each === null && !isShared(scope) ? await limitRows.find(tx, id) : null;
  if (template?.each == null)
    throw invalidScope('must be the ID of a template, for a limit of one customer or budget', 'replaces');
  const isOther = template.customerId !== null && template.customerId !== scope.customerId;
  if (isOther || template.each !== kindOf(scope.budgetKey))
    throw invalidScope('must be the ID of a template that applies to the customer or budget', 'replaces');
  return template;
}

/**
 * Stores the value of a limit of one customer or budget, with past usage and open holds. Returns `false` if the limit includes no past
 * usage. The customer is locked, so that no usage is recorded before the limit is.
 */
async function countPast(tx: TransactionContext, limit: Omit<LimitRow, 'id'>): Promise<boolean> {
  const { customerId, budgetKey } = limit;
  if (isShared(limit)) return openShared(tx, limit);
  if (customerId === null || !hasOwnGauge(limit, tx.clock.now())) return false;
  await lockCustomer(tx.sql, customerId);
  const { timezone } = await requireCustomer(tx, customerId, 'scope.customer');
  const node = await findNode(tx, customerId, budgetKey);
  return node === null || includePastUsage(tx, limit, node, timezone);
}

/**
 * Creates a limit. Throws `validation_error` if the limit is invalid or the node has too many limits, and `customer_not_found`,
 * `plan_not_found`, or `feature_not_found`. Throws `duplicate` if another limit replaces the template for the node.
 */
export const createLimit = (ctx: Context, input: LimitInput): Promise<StoredLimit> =>
  limitRows.create(
    ctx,
    async (tx) => {
      const now = tx.clock.now();
      const scope = await scopeOf(tx, input.scope);
      const replaces = input.replaces ?? null;
      const template = replaces === null ? null : await templateOf(tx, replaces, scope);
      const { kind, ...parameters } = input.window;
      const given = limitWindow(kind, {
        minutes: parameters.minutes ?? null,
        steps: parameters.steps ?? null,
        anchor: parameters.anchor?.toISOString() ?? null,
        timeZone: parameters.timeZone ?? null,
        weekStart: parameters.weekStart ?? null,
      });
      const window =
        kind === 'fixed' && given.anchor === null
          ? { ...given, anchor: template?.window.anchor ?? now.toISOString() }
          : given;
      const terms = {
        measure: input.measure,
        action: input.action,
        replaces,
        currency: input.currency ?? null,
        asset: input.asset ?? null,
        filter: {
          features: [...(input.filter?.features ?? [])],
          dimensions: (input.filter?.dimensions ?? []).map(({ property, values }) => ({
            property,
            values: [...values],
          })),
          ...(input.filter?.operations == null ? {} : { operations: [...input.filter.operations] }),
        },
        window,
        ...amountIn(input.amount),
        amounts: amountsIn(input.amounts),
        channels: [...(input.channels ?? defaultChannels)],
        recipients: [...(input.recipients ?? [])],
        notifyResolved: input.notifyResolved ?? false,
        anomaly: anomalyIn(input.anomaly),
        thresholds: thresholdsIn(input.thresholds, input),
      };
      const problems = limitProblems({ ...scope, ...terms });
      if (problems.length > 0) throw validationError(problems);
      await checkRecipients(tx, terms.recipients);
      await checkAsset(tx, terms);
      await checkShare(tx, { ...scope, ...terms }, null);
      await checkFeatures(tx, input, terms.filter.features);
      if (template !== null && !countsAlike(terms, template))
        throw invalidScope(
          'must be a template with the same measure, currency or asset, filter, and window',
          'replaces',
        );
      const validFrom = input.validFrom ?? now;
      const validUntil = input.validUntil ?? null;
      if (validUntil !== null && validUntil <= validFrom)
        throw validationError([{ field: 'validUntil', message: 'must be after `validFrom`' }]);
      const name = input.name ?? null;
      const limit = { ...scope, ...terms, name, setBy: input.setBy ?? 'merchant', validFrom, validUntil };
      return { ...limit, includesPastUsage: await countPast(tx, limit) };
    },
    async (tx, row) => {
      await requireRoom(tx, row, 'scope');
      await requireOnlyReplacement(tx, row, 'replaces');
      await renewLimits(tx);
      if (isShared(row)) await wakeForShared(tx);
    },
  );
