import type { GraphQLSchema } from 'graphql';
import { isInputObjectType } from 'graphql';
import type { Context, TransactionContext } from '../../context.ts';
import { checkMembers } from '../../graphql/check-input.ts';
import type { Issue } from '../../graphql/rules.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, recordEvents } from '../../transaction.ts';
import type { NewCustomerInput } from './create.ts';
import { type CustomerRow, customerEvent, findCustomersNamed, newCustomer } from './store.ts';
import type { CustomerBatchShape, FailedCustomer } from './types.ts';

type Item = { readonly index: number; readonly input: NewCustomerInput; readonly identifier: string | null };

/** What is wrong with an item by the rules of a single creation, as one sentence; null when nothing is. */
function violation(schema: GraphQLSchema, input: NewCustomerInput): string | null {
  const type = schema.getType('CustomerCreateInput');
  if (!isInputObjectType(type)) throw new Error('The schema has no CustomerCreateInput.');
  const issues: Issue[] = [];
  const provided = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  checkMembers(type, provided, '', 'raw', issues);
  if (input.id && input.externalId && input.id !== input.externalId)
    issues.push({ field: 'externalId', message: 'must not differ from id' });
  return issues.length === 0
    ? null
    : `${issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ')}.`;
}

/**
 * Creates the customers of a batch, each alone (PLT-22): items that break a rule are answered as failed, identifiers that exist answer the
 * existing customer, also when they repeat inside the batch. A handful of statements whatever the size.
 */
export async function createCustomers(
  ctx: Context,
  inputs: readonly NewCustomerInput[],
  schema: GraphQLSchema,
): Promise<CustomerBatchShape> {
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
      // Another request created one of the identifiers meanwhile; the next attempt finds it.
      if (attempt >= 3 || !isUniqueViolation(error)) throw error;
    }
  }
}

/** The customers of the items in their order, creating those that do not exist. */
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
