import type { Context } from '../../context.ts';
import { customerData } from '../../domain/customer-events.ts';
import { documentTypeOf } from '../../domain/document-type.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { contains } from '../../graphql/search.ts';
import type { OutboxEvent } from '../../outbox/write.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isIdOf } from '../../platform/ids.ts';

export type CustomerRow = Row<'Customer'>;

export type AddressValues = { [Key in 'line1' | 'city' | 'postalCode' | 'country']: string } & {
  [Key in 'line2' | 'state' | 'region' | 'phone']?: string | null | undefined;
};

/** The address with null for what was left out, and the telephone number where one was given. */
export const addressOf = ({
  line1,
  line2 = null,
  city,
  state = null,
  postalCode,
  country,
  region = null,
  phone = null,
}: AddressValues) => ({
  line1,
  line2,
  city,
  state,
  postalCode,
  country,
  region,
  ...(phone === null ? {} : { phone }),
});

type PayerAddressValues = {
  readonly [Key in Exclude<keyof AddressValues, 'country'>]?: string | null | undefined;
} & {
  readonly country: string;
};

/** The address of a payer, who need not give more than a country. */
export const payerAddressOf = ({ line1, city, postalCode, ...address }: PayerAddressValues) =>
  addressOf({ ...address, line1: line1 ?? '', city: city ?? '', postalCode: postalCode ?? '' });

/**
 * The customer addressed by our id, else by the external id; null when there is none (GLO-2). A deleted one is found by our id, for what lists its
 * records.
 */
export async function findCustomer(ctx: Context, reference: string): Promise<CustomerRow | null> {
  const found = await ctx.db.customer.findMany({
    where: { OR: [{ id: reference }, { externalId: reference }] },
  });
  return found.find((customer) => customer.id === reference) ?? found[0] ?? null;
}

/** The same without deleted customers. */
export async function findLivingCustomer(ctx: Context, reference: string): Promise<CustomerRow | null> {
  const found = await findCustomersNamed(ctx, [reference]);
  return found.find((customer) => customer.id === reference) ?? found[0] ?? null;
}

/** The customer addressed by our id, else by the external id. Throws `customer_not_found`, also for one that was deleted. */
export async function requireCustomer(ctx: Context, reference: string, param = 'id'): Promise<CustomerRow> {
  const customer = await findLivingCustomer(ctx, reference);
  if (customer === null) throw new QuittanceError('customer_not_found', { param });
  return customer;
}

/** The row of a new customer but for its id and seq; what was left out gets its default. */
export function newCustomer(
  input: {
    readonly email: string;
    readonly fullName?: string | null | undefined;
    readonly taxDocument?: string | null | undefined;
    readonly address?: AddressValues | null | undefined;
    readonly timezone?: string | null | undefined;
    readonly metadata?: Record<string, unknown> | null | undefined;
  },
  externalId: string | null,
  now: Date,
): Omit<CustomerRow, 'environmentId' | 'id' | 'seq'> {
  const country = input.address?.country ?? null;
  const taxDocument = input.taxDocument ?? null;
  return {
    externalId,
    email: input.email,
    fullName: input.fullName ?? '',
    taxDocument,
    documentType: documentTypeOf(taxDocument, country),
    timezone: input.timezone ?? 'UTC',
    address: input.address === null || input.address === undefined ? null : { ...input.address },
    country,
    metadata: (input.metadata ?? {}) as CustomerRow['metadata'],
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}

/** The event that carries the whole customer (PLT-23). */
export const customerEvent = (
  kind: 'customer.created' | 'customer.updated',
  customer: Omit<CustomerRow, 'environmentId'>,
  occurredAt: Date,
): OutboxEvent => ({
  kind,
  occurredAt,
  customerId: customer.id,
  subscriptionId: null,
  data: customerData(customer),
});

/** What customers are found by, in lower case, as the index "Customer_search" has it; none of the parts holds a line break. */
const searched = (table: string): string =>
  `lower(${table}."fullName" || E'\\n' || ${table}.email || E'\\n' || coalesce(${table}."externalId", ''))`;

/** The condition that a customer `t` has a text in its name, email address or external id. */
export const isCustomerWith = (text: string): Condition => contains(searched('t'), text);

/** The ids of such customers, as a query. */
export const customersWith =
  (text: string): Condition =>
  (bind) =>
    `SELECT c.id FROM "Customer" c WHERE c."environmentId" = $1 AND ${contains(searched('c'), text)(bind)}`;

/** The condition that a row `t` belongs to such a customer, or to the one whose id the text is. */
export const belongsToCustomerWith =
  (text: string): Condition =>
  (bind) =>
    isIdOf('cus', text)
      ? `t."customerId" = ${bind(text)}`
      : `t."customerId" IN (${customersWith(text)(bind)})`;

/** The condition that a row `t` belongs to such a customer or passes another condition, which has an index of its own. */
export const belongsToCustomerWithOr =
  (text: string, other: Condition): Condition =>
  (bind) => {
    const owned = isIdOf('cus', text) ? bind(text) : `ANY(ARRAY(${customersWith(text)(bind)}))`;
    return `(t."customerId" = ${owned} OR ${other(bind)})`;
  };

/** The customers that one of these ids or external ids names, without deleted ones. */
export const findCustomersNamed = (ctx: Context, references: readonly string[]): Promise<CustomerRow[]> =>
  ctx.db.customer.findMany({
    where: {
      deletedAt: null,
      OR: [{ id: { in: [...references] } }, { externalId: { in: [...references] } }],
    },
  });

/** The customer with this external id. Throws `customer_not_found`. */
export async function requireCustomerByExternalId(ctx: Context, externalId: string): Promise<CustomerRow> {
  const customer = await ctx.db.customer.findFirst({ where: { externalId, deletedAt: null } });
  if (customer === null) throw new QuittanceError('customer_not_found', { param: 'externalId' });
  return customer;
}

/** The condition that the customer `t` was made by a visitor of a pricing table, who typed in its email address. OFFSET 0 looks at rows of it alone. */
const isVisitor = `EXISTS (SELECT FROM "PricingTablePurchase" p WHERE p."environmentId" = $1 AND p."customerId" = t.id OFFSET 0)`;

/**
 * The condition that the customer `t` counts by its email address: not one that a visitor of a pricing table made who never completed a purchase, since
 * anybody can type in any address there (CAT-64).
 */
const isEstablished = `(NOT ${isVisitor} OR EXISTS (SELECT FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = t.id
     AND (s."activatedAt" IS NOT NULL OR s."trialEndsAt" IS NOT NULL) OFFSET 0))`;

/** Those customers with one of these email addresses that count by it, the newest first; those the organization made before those visitors made. */
const byEmail = (columns: string, order: 'ASC' | 'DESC'): string =>
  `SELECT ${columns} FROM "Customer" t WHERE t."environmentId" = $1 AND t.email = ANY($2) AND t."deletedAt" IS NULL AND ${isEstablished}
   ORDER BY ${isVisitor}, t."createdAt" ${order}, t.seq ${order}`;

/** The oldest customer with exactly this email address, by (createdAt, seq), one of the organization's own first; null without one that counts by it. */
export async function oldestCustomer(sql: Query, email: string): Promise<string | null> {
  const [row] = await sql<{ id: string }>(`${byEmail('t.id', 'ASC')} LIMIT 1`, [[email]]);
  return row?.id ?? null;
}

/**
 * The customers that are meant by one of these email addresses: the newest of the organization's own, and beside it the newest of those that visitors
 * of pricing tables made and completed. None without any.
 */
export async function findMeantByEmail(ctx: Context, emails: readonly string[]): Promise<CustomerRow[]> {
  const rows = await ctx.sql<CustomerRow & { readonly isVisitor: boolean }>(
    byEmail(`${columnList('Customer', 't')}, ${isVisitor} AS "isVisitor"`, 'DESC'),
    [emails],
  );
  return [rows.find((row) => !row.isVisitor), rows.find((row) => row.isVisitor)].filter(
    (row) => row !== undefined,
  );
}

/** Of these customers those that do not count by their email addresses. */
export async function findUnestablished(sql: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }>(
    `SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) AND NOT ${isEstablished}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The customer with this email address, the newest where several have it, one of the organization's own first. Throws `customer_not_found`. */
export async function requireCustomerByEmail(ctx: Context, email: string): Promise<CustomerRow> {
  const [customer] = await findMeantByEmail(ctx, [email]);
  if (customer === undefined) throw new QuittanceError('customer_not_found', { param: 'email' });
  return customer;
}

/** The canceled subscriptions of a customer that were charged to a stored method last; to this one, where it is named. */
export async function findEndedWithMethod(
  ctx: Context,
  customerId: string,
  paymentMethodId?: string,
): Promise<string[]> {
  const where = {
    customerId,
    paymentMethodId: paymentMethodId ?? { not: null },
    status: 'canceled',
  } as const;
  return (await ctx.db.subscription.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** A link that can still be paid, and the attempt that waits for its payer to authenticate, if any. */
export type OpenLink = { readonly id: string; readonly awaited: string | null };

/** The links a customer pays, or last tried to pay, that can still be paid. */
export async function findOpenLinks(ctx: Context, customerId: string): Promise<OpenLink[]> {
  const rows = await ctx.db.payment.findMany({
    where: { payerId: customerId, kind: 'link', status: { notIn: ['succeeded', 'canceled'] } },
    orderBy: { seq: 'asc' },
  });
  return rows.map(({ id, status, attempt }) => ({
    id,
    awaited: status === 'requires_action' ? (attempt?.attemptId ?? null) : null,
  }));
}
