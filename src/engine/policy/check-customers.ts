import { specificError } from '../../domain/errors/errors.ts';
import type { PolicyCustomers } from '../../domain/limits/key-policy.ts';
import type { ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Context } from '../../request/context.ts';

/** Tables whose rows belong to a customer, and that the arguments of an operation can name by ID. */
const owned = [
  'Subscription',
  'Invoice',
  'Transaction',
  'Refund',
  'Payment',
  'PaymentMethod',
  'CreditNote',
  'Lot',
  'PlanGrant',
  'UsageHold',
  'CustomerNote',
  'AutoTopUp',
] as const;

const customerFields: ReadonlySet<string> = new Set(['customerId', 'customer', 'customerIds']);
const holdFields: ReadonlySet<string> = new Set(['hold', 'holdId']);

type References = { readonly customers: Set<string>; readonly ids: Set<string>; readonly holds: Set<string> };

/** Collects the customers and objects that arguments name. */
function collect(value: unknown, field: string, found: References): void {
  if (typeof value === 'string') {
    if (customerFields.has(field)) found.customers.add(value);
    else if (holdFields.has(field)) found.holds.add(value);
    if (/^[a-z]+_[0-9A-Za-z]{20,}$/.test(value)) found.ids.add(value);
    return;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return;
  for (const [name, member] of Object.entries(value))
    collect(member, Array.isArray(value) ? field : name, found);
}

/** Reads the IDs of the customers that a request names, directly or with objects that belong to them. */
async function readNamed(sql: Query, { customers, ids, holds }: References): Promise<string[]> {
  const parts = owned.map(
    (table) =>
      `SELECT t."customerId" AS id FROM "${table}" t WHERE t."environmentId" = $1 AND t.id = ANY($3)`,
  );
  const rows = await sql<{ id: string | null }>(
    `SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND (t.id = ANY($2) OR t."externalId" = ANY($2) OR t.id = ANY($3))
     UNION SELECT t."customerId" FROM "UsageHold" t WHERE t."environmentId" = $1 AND t."holdId" = ANY($4)
     UNION ${parts.join(' UNION ')}`,
    [textArray([...customers]), textArray([...ids]), textArray([...holds])],
  );
  return rows.flatMap(({ id }) => id ?? []);
}

/** Throws `forbidden` unless a policy lets the key change all customers. */
async function requireAllowed(sql: Query, customers: PolicyCustomers, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const reject = () =>
    specificError('forbidden', 'policy_customer', { details: { reason: 'policy_customer' } });
  if ('ids' in customers) {
    if (ids.some((id) => !customers.ids.includes(id))) throw reject();
    return;
  }
  const { key, value } = customers.metadata;
  const rows = await sql<{ id: string }>(
    `SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) AND t.metadata->>$3 = $4`,
    [textArray(ids), key, value],
  );
  if (rows.length < new Set(ids).size) throw reject();
}

/** Throws `forbidden` if the arguments of an operation name a customer that the policy excludes. */
export async function checkNamedCustomers(
  { sql }: Context,
  customers: PolicyCustomers,
  args: object,
): Promise<void> {
  const found: References = { customers: new Set(), ids: new Set(), holds: new Set() };
  collect(args, '', found);
  if (found.customers.size + found.ids.size + found.holds.size === 0) return;
  await requireAllowed(sql, customers, await readNamed(sql, found));
}

/** Throws `forbidden` if a decision changes a customer that the policy excludes. */
export async function checkChangedCustomers(
  { sql }: Context,
  customers: PolicyCustomers,
  sets: readonly ChangeSet[],
): Promise<void> {
  const ids = sets.flatMap((set) => [
    ...set.customers.keys(),
    ...[set.subscriptions, set.invoices, set.transactions, set.refunds, set.lots].flatMap((changes) =>
      [...changes.values()].map(({ row }) => row.customerId),
    ),
  ]);
  await requireAllowed(sql, customers, [...new Set(ids)]);
}
