import type { GraphQLSchema } from 'graphql';
import { isInputObjectType } from 'graphql';
import { requireRowQuota } from '../../../engine/quotas.ts';
import type { Issue } from '../../../graphql/declare/rules.ts';
import { checkMembers } from '../../../graphql/input/check-input.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import type { NewCustomerInput } from './create.ts';
import { type CustomerRow, customerEvent, findCustomersNamed, newCustomer } from './store.ts';
import type { CustomerBatchShape, FailedCustomer } from './types.ts';

type Item = { readonly index: number; readonly input: NewCustomerInput; readonly identifier: string | null };

/** Validates a batch item against the rules for `CustomerCreateInput`. Returns the violations as one sentence, or `null` if the item is valid. */
function violation(schema: GraphQLSchema, input: NewCustomerInput): string | null {
  const type = schema.getType('CustomerCreateInput');
  if (!isInputObjectType(type)) throw new Error('The schema has no CustomerCreateInput.');
  const issues: Issue[] = [];
  const provided = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  checkMembers(type, provided, '', 'raw', issues);
  if (input.id && input.externalId && input.id !== input.externalId)
    issues.push({ field: 'externalId', message: 'must match `id`' });
  return issues.length === 0
    ? null
    : `${issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ')}.`;
}

/**
 * Creates the customers in a batch independently of each other (PLT-22). Invalid items are returned as failed. If an identifier already
 * exists or is repeated within the batch, returns the existing customer. The number of SQL statements doesn't depend on the batch size.
 */
export async function createCustomers(
  ctx: Context,
  inputs: readonly NewCustomerInput[],
  schema: GraphQLSchema,
): Promise<CustomerBatchShape> {
  await requireRowQuota(ctx);
  const failed: FailedCustomer[] = [];
  const items: Item[] = [];
  for (const [index, input] of inputs.entries()) {
    const error = violation(schema, input);
    if (error === null) items.push({ index, input, identifier: input.id ?? input.externalId ?? null });
    else failed.push({ index, error, data: { ...input } });
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await inTransaction(ctx, (tx) => createMissing(tx, items));
      return { successful: made.map(({ id, externalId, email }) => ({ id, externalId, email })), failed };
    } catch (error) {
      // A concurrent request created a customer with one of the identifiers. The next attempt finds this customer.
      if (attempt >= 3 || !isUniqueViolation(error)) throw error;
    }
  }
}

/** Returns the customers of the batch items, in the order of the items. Creates missing customers. */
async function createMissing(
  tx: TransactionContext,
  items: readonly Item[],
): Promise<Omit<CustomerRow, 'environmentId'>[]> {
  const identifiers = items.flatMap(({ identifier }) => (identifier === null ? [] : [identifier]));
  const known = new Map<string, Omit<CustomerRow, 'environmentId'>>();
  if (identifiers.length > 0) {
    const found = await findCustomersNamed(tx, identifiers);
    for (const customer of found) if (customer.externalId !== null) known.set(customer.externalId, customer);
    for (const customer of found) known.set(customer.id, customer);
  }
  const now = tx.clock.now();
  const created: Omit<CustomerRow, 'environmentId'>[] = [];
  const result = items.map(({ input, identifier }) => {
    const existing = identifier === null ? undefined : known.get(identifier);
    if (existing !== undefined) return existing;
    const customer = { id: newId('cus'), seq: 0n, ...newCustomer(input, identifier, now) };
    created.push(customer);
    if (identifier !== null) known.set(identifier, customer);
    return customer;
  });
  if (created.length > 0) {
    const { seq } = await takeNumbers(tx.transaction.query, tx.environment.id, { seq: created.length });
    for (const [index, customer] of created.entries()) customer.seq = seq + BigInt(index);
    await tx.db.customer.createMany({ data: created });
    await recordEvents(
      tx,
      created.map((customer) => customerEvent('customer.created', customer, now)),
    );
  }
  return result;
}
