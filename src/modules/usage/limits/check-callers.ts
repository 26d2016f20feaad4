import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { type LimitMeasure, type LimitRow, limitedCaller } from '../../../domain/limits/limit.ts';
import { hasRole } from '../../../domain/limits/member-roles.ts';
import { areas } from '../../../domain/limits/permissions.ts';
import type { MutationDetails } from '../../../graphql/declare/areas.ts';
import { isProofFresh } from '../../../identity/proof.ts';
import type { Context } from '../../../request/context.ts';
import type { Scope } from './resolve-scope.ts';
import type { LimitInput } from './types/inputs.ts';

/**
 * Throws `forbidden` unless the caller is a member who can limit API keys and members: API keys never change their limits (AGT-10). Throws
 * `reauthentication_required` in the live environment if the last sign-in of the member isn't recent.
 */
export function demandCallerAccess({ caller, livemode, wall }: Context): void {
  if (caller.kind !== 'member' || !hasRole(caller.role, 'admin'))
    throw specificError('forbidden', 'role', { values: { role: 'admin' } });
  if (livemode && !isProofFresh(caller.person.provenAt, wall.now()))
    throw new QuittanceError('reauthentication_required');
}

/** Checks that the caller can change a limit. Anyone with access to limits can change limits of customers. */
export function demandLimitAccess(ctx: Context, limit: LimitRow): void {
  if (limitedCaller(limit) !== null) demandCallerAccess(ctx);
}

/**
 * Converts the filter of a request. A limit on `money`, and a limit of an API key or a member, counts operations also if the filter names
 * none.
 */
export function filterIn({ filter, measure }: LimitInput, scope: Scope): LimitRow['filter'] {
  const { apiKeyId, memberId, each } = scope;
  const isOfCaller = apiKeyId !== null || memberId !== null || each === 'apiKey';
  const operations = filter?.operations ?? (isOfCaller || measure === 'money' ? [] : null);
  return {
    features: [...(filter?.features ?? [])],
    dimensions: (filter?.dimensions ?? []).map(({ property, values }) => ({ property, values: [...values] })),
    ...(operations === null ? {} : { operations: [...operations] }),
  };
}

/**
 * Throws `validation_error` if a limit of an API key or a member names an operation that doesn't exist, or a limit on `money` an operation that
 * moves no money.
 */
export function checkOperations(
  { operations = [] }: LimitRow['filter'],
  measure: LimitMeasure,
  mutations: MutationDetails,
): void {
  const isArea = (name: string): boolean => (areas as readonly string[]).includes(name);
  const unknown = operations.find((name) => !mutations.has(name) && !isArea(name));
  const field = 'filter.operations';
  if (unknown !== undefined)
    throw validationError([{ field, message: `contains an unknown mutation or area: ${unknown}` }]);
  const unmoved = operations.find((name) => mutations.get(name)?.movesMoney === false);
  if (measure === 'money' && unmoved !== undefined)
    throw validationError([{ field, message: `contains a mutation that moves no money: ${unmoved}` }]);
}
