import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import {
  type KeyPolicy,
  type OperationList,
  type PolicyCustomers,
  policyProblems,
} from '../../../domain/limits/key-policy.ts';
import { areas } from '../../../domain/limits/permissions.ts';
import { keyTopic } from '../../../platform/credentials.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import type { ApiKeyRow } from './mint.ts';
import { requireKey } from './store.ts';

type Optional<T> = { readonly [name in keyof T]?: T[name] | null | undefined };

/** Policy in a request. Omitted fields don't limit the key. */
export type PolicyInput = { readonly id: string } & Optional<{
  operations: Optional<{ allow: readonly string[]; deny: readonly string[] }>;
  customers: Optional<{
    ids: readonly string[];
    metadata: { readonly key: string; readonly value: string };
  }>;
  maxAmountPerCall: number;
  maxAmountPerDay: number;
  maxCallsPerHour: number;
  approveAbove: number;
  approveOperations: readonly string[];
}>;

const noPolicy: KeyPolicy = {
  operations: null,
  customers: null,
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  maxCallsPerHour: null,
  approveAbove: null,
  approveOperations: [],
};

/** Returns the policy of an API key. Fields are `null` if the key has no policy. */
export const policyOf = ({ policy }: Pick<ApiKeyRow, 'policy'>): KeyPolicy => policy ?? noPolicy;

function operationsIn(operations: PolicyInput['operations']): OperationList | null {
  if (operations == null) return null;
  const { allow, deny } = operations;
  if ((allow == null) === (deny == null))
    throw validationError([{ field: 'operations', message: 'must have either `allow` or `deny`' }]);
  return allow == null ? { deny: [...(deny ?? [])] } : { allow: [...allow] };
}

function customersIn(customers: PolicyInput['customers']): PolicyCustomers | null {
  if (customers == null) return null;
  const { ids, metadata } = customers;
  if ((ids == null) === (metadata == null))
    throw validationError([{ field: 'customers', message: 'must have either `ids` or `metadata`' }]);
  if (ids != null) return { ids: [...new Set(ids)] };
  return metadata == null ? null : { metadata: { key: metadata.key, value: metadata.value } };
}

const fields = Object.keys(noPolicy) as (keyof KeyPolicy)[];

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Replaces the policy of an API key (AGT-10). The policy applies to the next call, over every interface. Throws `api_key_not_found` if the
 * key doesn't exist. Throws `validation_error` if the policy is invalid. `operations` contains the names of all operations.
 */
export const setPolicy = (
  ctx: Context,
  { id, ...input }: PolicyInput,
  operations: ReadonlySet<string>,
): Promise<ApiKeyRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const policy: KeyPolicy = {
        operations: operationsIn(input.operations),
        customers: customersIn(input.customers),
        maxAmountPerCall: input.maxAmountPerCall ?? null,
        maxAmountPerDay: input.maxAmountPerDay ?? null,
        maxCallsPerHour: input.maxCallsPerHour ?? null,
        approveAbove: input.approveAbove ?? null,
        approveOperations: [...(input.approveOperations ?? [])],
      };
      const known = new Set([...areas, ...operations]);
      const problems = policyProblems(policy, (name) => known.has(name));
      if (problems.length > 0) throw validationError(problems);
      const key = await requireKey(tx, id);
      const before = policyOf(key);
      const changedFields = fields.filter((field) => !isEqual(before[field], policy[field]));
      if (changedFields.length === 0) return key;
      const [changed] = await tx.db.apiKey.update({
        where: { id },
        data: { policy: isEqual(policy, noPolicy) ? null : policy },
      });
      if (changed === undefined) throw new QuittanceError('api_key_not_found', { param: 'id' });
      await recordEvents(tx, [
        {
          kind: 'api_key.policy_changed',
          customerId: null,
          subscriptionId: null,
          occurredAt: tx.clock.now(),
          data: { apiKeyId: id, name: key.name, changedFields },
        },
      ]);
      tx.transaction.afterCommit(() => tx.app.pubsub.hint(keyTopic(id)));
      return changed;
    },
    { clockLock: 'none' },
  );
