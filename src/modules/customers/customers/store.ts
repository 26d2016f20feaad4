import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { customerData } from '../../../domain/events/customer-events.ts';
import { documentTypeOf } from '../../../domain/tax/document-type.ts';
import { customerKeys, foldEmail } from '../../../domain/text/folding.ts';
import type { Subject } from '../../../engine/operation.ts';
import type { OutboxEvent } from '../../../outbox/write.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import { selectionOf } from '../../../platform/db/columns.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { type Row, readMatching, readOne } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type CustomerRow = Row<'Customer'>;

export type AddressValues = { [Key in 'line1' | 'city' | 'postalCode' | 'country']: string } & {
  [Key in 'line2' | 'state' | 'region' | 'phone']?: string | null | undefined;
};

/** Returns the address. Missing fields are `null`. The phone number is included only if it's set. */
const addressOf = ({
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

/** Returns a payer's address. Only the country is required; other missing fields become empty strings. */
export const payerAddressOf = ({ line1, city, postalCode, ...address }: PayerAddressValues) =>
  addressOf({ ...address, line1: line1 ?? '', city: city ?? '', postalCode: postalCode ?? '' });

/**
 * Returns the customer with this ID. If no customer has the ID, returns the customer with this external ID, or `null` (GLO-2). IDs also
 * match deleted customers, so that their records can be listed.
 */
export async function findCustomer(ctx: Context, reference: string): Promise<CustomerRow | null> {
  const found = await readMatching(ctx.sql, 'Customer', {}, [{ id: reference }, { externalId: reference }]);
  return found.find((customer) => customer.id === reference) ?? found[0] ?? null;
}

/** Customers. Requests identify a customer by ID or external ID. */
export const customerRows = resource('Customer', {
  prefix: 'cus',
  object: 'customer',
  notFound: (param) => new QuittanceError('customer_not_found', { param }),
  references: ['id', 'externalId'],
  conflict: () => specificError('duplicate', 'customer_external_id', { param: 'externalId' }),
  derive: (customer) => ({
    ...customerKeys(customer),
    documentType: documentTypeOf(customer.taxDocument, customer.country),
  }),
});

/** Returns the customer with this ID or external ID. Throws `customer_not_found` if it doesn't exist or was deleted. */
export const requireCustomer = (ctx: Context, reference: string, param = 'id'): Promise<CustomerRow> =>
  customerRows.require(ctx, reference, param);

/** Finds the customer that an operation refers to, by ID or external ID. Throws `customer_not_found`. */
export const findSubject = async (ctx: Context, reference: string, param: string): Promise<Subject> => ({
  customerId: (await requireCustomer(ctx, reference, param)).id,
});

/** Returns the row for a new customer, without its ID and `seq`. Missing fields get default values. */
export function newCustomer(
  input: {
    readonly email: string;
    readonly fullName?: string | null | undefined;
    readonly taxDocument?: string | null | undefined;
    readonly address?: AddressValues | null | undefined;
    readonly timezone?: string | null | undefined;
    readonly requireBudget?: boolean | null | undefined;
    readonly metadata?: Record<string, unknown> | null | undefined;
  },
  externalId: string | null,
  now: Date,
): Omit<CustomerRow, 'environmentId' | 'id' | 'seq'> {
  const country = input.address?.country ?? null;
  const taxDocument = input.taxDocument ?? null;
  const identity = { externalId, email: input.email, fullName: input.fullName ?? '' };
  return {
    ...identity,
    ...customerKeys(identity),
    taxDocument,
    documentType: documentTypeOf(taxDocument, country),
    timezone: input.timezone ?? 'UTC',
    address: input.address === null || input.address === undefined ? null : { ...input.address },
    country,
    requireBudget: input.requireBudget ?? false,
    hasMoneyOnAccount: false,
    metadata: (input.metadata ?? {}) as CustomerRow['metadata'],
    sortMrr: 0n,
    sortOutstanding: 0n,
    sortPaid: 0n,
    sortStatus: 0n,
    sortPlan: '',
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}

/** Event with the full customer as its data (PLT-23). */
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

/** Returns the customers with one of these IDs or external IDs. Excludes deleted customers. */
export function findCustomersNamed(ctx: Context, references: readonly string[]): Promise<CustomerRow[]> {
  const { list, rowOf } = selectionOf('Customer', 'all');
  return ctx.sql<CustomerRow>(
    `SELECT ${list} FROM "Customer" t
     WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND (t.id = ANY($2) OR t."externalId" = ANY($2))`,
    [references],
    rowOf,
  );
}

/** Returns the customer with this external ID. Throws `customer_not_found`. */
export async function requireCustomerByExternalId(ctx: Context, externalId: string): Promise<CustomerRow> {
  const customer = await readOne(ctx.sql, 'Customer', { externalId, deletedAt: null });
  if (customer === null) throw new QuittanceError('customer_not_found', { param: 'externalId' });
  return customer;
}

/**
 * SQL condition: a pricing table visitor created the customer `t` by entering an email address. `OFFSET 0` limits the lookup to this
 * customer's rows.
 */
const isVisitor = `EXISTS (SELECT FROM "PricingTablePurchase" p WHERE p."environmentId" = $1 AND p."customerId" = t.id OFFSET 0)`;

/**
 * SQL condition: the customer `t` can be identified by its email address. Pricing table visitors can enter any address, so the
 * customers that they create can't be identified by email until they complete a purchase (CAT-64).
 */
const isEstablished = `(NOT ${isVisitor} OR EXISTS (SELECT FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = t.id
     AND (s."activatedAt" IS NOT NULL OR s."trialEndsAt" IS NOT NULL) OFFSET 0))`;

/**
 * Query for the customers that an email address can identify. Customers that the organization created come first, followed by customers
 * from pricing tables, each sorted by creation time.
 */
const byEmail = (columns: string, order: 'ASC' | 'DESC'): string =>
  `SELECT ${columns} FROM "Customer" t WHERE t."environmentId" = $1 AND t."emailKey" COLLATE "C" = $2 AND t."deletedAt" IS NULL AND ${isEstablished}
   ORDER BY ${isVisitor}, t."createdAt" ${order}, t.seq ${order}`;

/**
 * Returns the ID of the oldest customer with this email address (PAY-2), sorted by (`createdAt`, `seq`). Customers that the organization
 * created take precedence. `null` if the address identifies no customer.
 */
export async function oldestCustomer(sql: Query, email: string): Promise<string | null> {
  const [row] = await sql<{ id: string }>(`${byEmail('t.id', 'ASC')} LIMIT 1`, [foldEmail(email)]);
  return row?.id ?? null;
}

/**
 * Returns the customers that an email address identifies. These are the newest customer with the address that the
 * organization created, and the newest customer with the address who completed a purchase on a pricing table. Empty if
 * no customer matches.
 */
export async function findIdentifiedByEmail(ctx: Context, email: string): Promise<CustomerRow[]> {
  const rows = await ctx.sql<CustomerRow & { readonly isVisitor: boolean }>(
    byEmail(`${columnList('Customer', 't')}, ${isVisitor} AS "isVisitor"`, 'DESC'),
    [foldEmail(email)],
  );
  return [rows.find((row) => !row.isVisitor), rows.find((row) => row.isVisitor)].filter(
    (row) => row !== undefined,
  );
}

/** Returns the IDs of the customers that can't be identified by their email address. */
export async function findUnestablished(sql: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }>(
    `SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) AND NOT ${isEstablished}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the newest customer with this email address. Customers that the organization created take precedence. Throws `customer_not_found`. */
export async function requireCustomerByEmail(ctx: Context, email: string): Promise<CustomerRow> {
  const [customer] = await findIdentifiedByEmail(ctx, email);
  if (customer === undefined) throw new QuittanceError('customer_not_found', { param: 'email' });
  return customer;
}

/** Returns the IDs of all customers with this email address, including deleted customers. Used by list filters. */
export async function customerIdsByEmail(sql: Query, email: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    'SELECT t.id FROM "Customer" t WHERE t."environmentId" = $1 AND t."emailKey" COLLATE "C" = $2',
    [foldEmail(email)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the ID of an active subscription that belongs to another customer with the same email address (CAT-64a). Applies only to
 * customers that a pricing table visitor created. `null` if no other customer has an active subscription.
 */
export async function findSubscriptionWithSameEmail(
  ctx: Context,
  customerId: string,
): Promise<string | null> {
  const [row] = await ctx.sql<{ id: string }>(
    // Without statistics, PostgreSQL would join all customers with each other and with all subscriptions. Arrays and OFFSET fix the order.
    `SELECT x.id FROM (SELECT s.id, s."createdAt", s.seq FROM "Subscription" s
       WHERE s."environmentId" = $1 AND s.status IN ('active', 'trialing', 'past_due') AND s."customerId" = ANY(ARRAY(
         SELECT o.id FROM "Customer" o WHERE o."environmentId" = $1 AND o.id <> $2 AND o."deletedAt" IS NULL
           AND o."emailKey" COLLATE "C" = ANY(ARRAY(
             SELECT t."emailKey" COLLATE "C" FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = $2 AND ${isVisitor}
           ))
       )) OFFSET 0) x
     ORDER BY x."createdAt", x.seq LIMIT 1`,
    [customerId],
  );
  return row?.id ?? null;
}

/**
 * Returns the customer's canceled subscriptions whose payment method is still stored. If `paymentMethodId` is set, returns only
 * subscriptions with that payment method.
 */
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

/**
 * Payment link that still accepts a payment. `awaited` is the ID of the attempt that requires authentication. `null` if
 * no attempt requires authentication.
 */
export type OpenLink = { readonly id: string; readonly awaited: string | null };

/** Returns the open payment links that belong to the customer or that the customer last tried to pay. */
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
