import { validationError } from '../../../domain/errors/errors.ts';
import type { CountChange } from '../../../domain/subscription/commands/counts-change.ts';
import { countsCommand, readCountEvent } from '../../../engine/counts.ts';
import type { Subject } from '../../../engine/operation.ts';
import type { Context } from '../../../request/context.ts';
import { findSubject, requireCustomerByExternalId } from '../../customers/customers/store.ts';

/** Error codes of all mutations that change counts of seats or quota units. */
export const changeErrors = [
  'feature_not_in_plan',
  'feature_disabled',
  'customer_not_found',
  'feature_not_found',
  'no_active_subscription',
] as const;

/** Change to a quota count. Requires either `customerId` or `externalId`. */
type ChangeQuotaInput = {
  readonly featureCode: string;
  /** ID or external ID of the customer. */
  readonly customerId?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly count?: number | null | undefined;
};

/** Finds the customer by `customerId` or `externalId` (CON-36). Throws `validation_error` and `customer_not_found`. */
async function findHolder(ctx: Context, input: ChangeQuotaInput): Promise<Subject> {
  const customerId = input.customerId ?? null;
  const externalId = input.externalId ?? null;
  if (customerId !== null && externalId === null) return findSubject(ctx, customerId, 'customerId');
  if (customerId !== null || externalId === null) {
    const message = 'Provide either customerId or externalId, not both.';
    throw validationError(['customerId', 'externalId'].map((field) => ({ field, message })));
  }
  return { customerId: (await requireCustomerByExternalId(ctx, externalId)).id };
}

/**
 * Customer lookup, command, and response of the operations that change quota units immediately (CON-49). The count defaults to 1. If
 * several checks fail, the error of the first check is thrown (CON-35, CON-52).
 */
export const changing = (op: CountChange['op']) => ({
  find: findHolder,
  command: ({ featureCode, count }: ChangeQuotaInput) =>
    countsCommand('quota', [{ featureCode, op, count: BigInt(count ?? 1) }]),
  result: readCountEvent,
});
