import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { isBlocking } from '../../../domain/limits/admission.ts';
import {
  type CurrencyAmount,
  countsOperations,
  isFalling,
  isShared,
  type LimitAnomaly,
  type LimitRow,
  limitedCaller,
  limitWindow,
} from '../../../domain/limits/limit.ts';
import { hasOwnGauge } from '../../../domain/limits/past-usage.ts';
import { countsAlike, limitProblems } from '../../../domain/limits/problems.ts';
import { isFinal } from '../../../domain/meters/meter.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { fireThresholds } from '../../../engine/usage/fire-thresholds.ts';
import { lockCustomer } from '../../../engine/usage/lock-customer.ts';
import { includePastUsage } from '../../../engine/usage/past-usage.ts';
import { noteCallerLimits, renewLimits } from '../../../engine/usage/renew-limits.ts';
import { openShared, wakeForShared } from '../../../engine/usage/shared-past.ts';
import type { MutationDetails } from '../../../graphql/declare/areas.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { lockAsset } from '../../catalog/credit-packs/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { findNode } from '../budgets/store.ts';
import { checkOperations, demandCallerAccess, filterIn } from './check-callers.ts';
import { checkRecipients } from './check-recipients.ts';
import { checkShare } from './check-share.ts';
import { invalidScope, scopeOf, templateOf } from './resolve-scope.ts';
import { findFeatures, limitRows, requireOnlyReplacement, requireRoom, type StoredLimit } from './store.ts';
import type { AmountInput, LimitInput, ThresholdInput } from './types/inputs.ts';

const defaultChannels: LimitRow['channels'] = ['webhook'];

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
 * Throws `validation_error` unless a limit bounds the usage of one customer or budget, whose thresholds can be reported immediately. Locks the
 * customer, so that no usage is recorded before the thresholds are reported.
 */
export async function lockForThresholds(
  tx: TransactionContext,
  limit: Pick<LimitRow, 'customerId' | 'each' | 'filter'>,
): Promise<void> {
  if (limit.customerId === null || limit.each !== null || countsOperations(limit))
    throw validationError([
      {
        field: 'fireNow',
        message: 'must be `false` unless the limit bounds the usage of one customer or budget',
      },
    ]);
  await lockCustomer(tx.sql, limit.customerId);
}

/**
 * Creates a limit. Throws `validation_error` if the limit is invalid or the node has too many limits, and `customer_not_found`,
 * `plan_not_found`, or `feature_not_found`. `mutations` are needed for limits of API keys and members. Throws `duplicate` if another limit replaces the template for the node.
 */
export const createLimit = (
  ctx: Context,
  input: LimitInput,
  mutations: MutationDetails = new Map(),
): Promise<StoredLimit> =>
  limitRows.create(
    ctx,
    async (tx) => {
      const scope = await scopeOf(tx, input.scope);
      const filter = filterIn(input, scope);
      const isOfCaller = limitedCaller({ ...scope, filter }) !== null;
      if (isOfCaller) demandCallerAccess(tx);
      if (isOfCaller) checkOperations(filter, input.measure, mutations);
      // Windows of API keys and members follow real time (LIM-30).
      const now = (isOfCaller ? tx.wall : tx.clock).now();
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
        filter,
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
      if (input.fireNow === true) await lockForThresholds(tx, limit);
      return { ...limit, includesPastUsage: await countPast(tx, limit) };
    },
    async (tx, row) => {
      await requireRoom(tx, row, 'scope');
      await requireOnlyReplacement(tx, row, 'replaces');
      await renewLimits(tx);
      if (limitedCaller(row) !== null) await noteCallerLimits(tx);
      if (isShared(row)) await wakeForShared(tx);
      if (input.fireNow === true) await fireThresholds(tx, row, null);
    },
  );
