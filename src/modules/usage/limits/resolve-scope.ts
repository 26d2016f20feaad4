import { type QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { kindOf } from '../../../domain/limits/admission.ts';
import { isShared, type LimitRow } from '../../../domain/limits/limit.ts';
import { isBudgetKind, keyProblem } from '../../../domain/limits/problems.ts';
import type { Context } from '../../../request/context.ts';
import { planRows } from '../../catalog/plans/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { requireKey } from '../../organization/api-keys/store.ts';
import { loadMember } from '../../organization/members/store.ts';
import { rejectArchivedBudget } from '../budgets/store.ts';
import { limitRows, type StoredLimit } from './store.ts';
import type { ScopeInput } from './types/inputs.ts';

/** Nodes to which a limit applies. */
export type Scope = Pick<LimitRow, 'customerId' | 'budgetKey' | 'each' | 'planId' | 'apiKeyId' | 'memberId'>;

/** Error of a scope, or of a field that doesn't fit the scope. */
export const invalidScope = (message: string, field = 'scope'): QuittanceError =>
  validationError([{ field, message }]);

const noScope = {
  customerId: null,
  budgetKey: null,
  each: null,
  planId: null,
  apiKeyId: null,
  memberId: null,
} as const;

/** Resolves the API key or the member of a limit. Throws `api_key_not_found` or `not_found`. */
async function callerScope(ctx: Context, { apiKey, member, ...others }: ScopeInput): Promise<Scope> {
  const isAlone = Object.values(others).every((value) => value == null || value === false);
  if (!isAlone || (apiKey != null && member != null))
    throw invalidScope('must have no other field if it has `apiKey` or `member`');
  if (apiKey != null) {
    const key = await requireKey(ctx, apiKey, 'scope.apiKey');
    return { ...noScope, apiKeyId: key.id };
  }
  const found = member == null ? null : await loadMember(ctx, member);
  if (found === null) throw specificError('not_found', 'member', { param: 'scope.member' });
  return { ...noScope, memberId: found.id };
}

/**
 * Resolves the scope of a limit. Throws `validation_error`. Throws `customer_not_found`, `plan_not_found`, `api_key_not_found`, or, for a
 * member, `not_found` if the object doesn't exist.
 */
export async function scopeOf(ctx: Context, input: ScopeInput): Promise<Scope> {
  if (input.apiKey != null || input.member != null) return callerScope(ctx, input);
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
    if (customer == null)
      throw invalidScope('must have `organization`, `plan`, `customer`, `apiKey`, `member`, or `each`');
    const problem = budget == null ? null : keyProblem(budget);
    if (problem !== null) throw invalidScope(problem, 'scope.budget');
    const { id } = await requireCustomer(ctx, customer, 'scope.customer');
    if (budget != null) await rejectArchivedBudget(ctx, id, budget, 'scope.budget');
    return { ...noScope, customerId: id, budgetKey: budget ?? null };
  }
  if (customer != null || budget != null)
    throw invalidScope('must not have `customer` or `budget` if it has `each`');
  if (each !== 'customer' && each !== 'apiKey' && !isBudgetKind(each))
    throw invalidScope('must be `customer`, `apiKey`, or a kind of budgets, such as `team`', 'scope.each');
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

/** Returns the kind of the node of a limit, as in the `each` of templates. */
const kindIn = ({ apiKeyId, memberId, budgetKey }: Scope): string =>
  apiKeyId !== null ? 'apiKey' : memberId !== null ? 'member' : kindOf(budgetKey);

/** Returns the template that a limit replaces. Throws `validation_error` unless it applies to the node of the limit. */
export async function templateOf(tx: Context, id: string, scope: Scope): Promise<StoredLimit> {
  const template = scope.each === null && !isShared(scope) ? await limitRows.find(tx, id) : null;
  if (template?.each == null)
    throw invalidScope(
      'must be the ID of a template, for a limit of one customer, budget, API key, or member',
      'replaces',
    );
  const isOther = template.customerId !== null && template.customerId !== scope.customerId;
  if (isOther || template.each !== kindIn(scope))
    throw invalidScope('must be the ID of a template that applies to the customer or budget', 'replaces');
  return template;
}
