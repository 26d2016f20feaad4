import type { Context } from '../context.ts';
import { type Catalog, catalogOf } from '../domain/pricing/catalog.ts';
import type {
  Aggregate,
  CreditUse,
  CustomerCreditRow,
  CustomerRow,
  DeadlineRow,
  InvoiceRow,
  OfferApplicationRow,
  PaymentMethodRow,
  RefundRow,
  SubscriptionRow,
  TransactionRow,
} from '../domain/subscription/aggregate.ts';
import { columnList } from '../infra/bulk.ts';
import { loadActivations, lockAddons } from './load-addons.ts';
import { loadCatalogRows, loadCreditPacks, plansOf } from './load-catalog.ts';
import { loadConsumption } from './load-consumption.ts';
import { loadGrants, lockGrantedPlans } from './load-grants.ts';
import { type Addressed, countriesFor, type Named, namedBy } from './load-named.ts';
import { loadOffering } from './load-offering.ts';
import { loadPayments } from './load-payments.ts';
import { loadTaxRegistrations } from './load-taxes.ts';

const byCustomer = <T extends { readonly customerId: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> =>
  Map.groupBy(rows, (row) => row.customerId);

const bySubscription = <T extends { readonly subscriptionId: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> =>
  Map.groupBy(rows, (row) => row.subscriptionId);

/** Locks the customers in order of seq, the lock root of everything else, and answers their rows in that order (protocols A2). */
const lockCustomers = (ctx: Context, ids: readonly string[]): Promise<CustomerRow[]> =>
  ctx.sql<CustomerRow>(
    `SELECT ${columnList('Customer', 't')} FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR UPDATE`,
    [ids],
  );

const loadSubscriptions = (
  ctx: Context,
  customerIds: readonly string[],
  named: Pick<Named, 'subscriptions' | 'invoices' | 'transactions'>,
): Promise<SubscriptionRow[]> =>
  ctx.sql<SubscriptionRow>(
    `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND (t.status <> 'canceled' OR t.id = ANY($3)
       OR t.id IN (SELECT "subscriptionId" FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($4))
       OR t.id IN (SELECT "subscriptionId" FROM "Invoice" WHERE "environmentId" = $1 AND id = ANY($5))) ORDER BY t.seq`,
    [customerIds, named.subscriptions, named.transactions, named.invoices],
  );

const loadInvoices = (ctx: Context, customerIds: readonly string[], transactionIds: readonly string[]): Promise<InvoiceRow[]> =>
  ctx.sql<InvoiceRow>(
    `SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status IN ('draft', 'outstanding')
     UNION ALL
     SELECT ${columnList('Invoice', 't')} FROM "Invoice" t
     WHERE t."environmentId" = $1 AND t.status NOT IN ('draft', 'outstanding')
       AND t.id IN (SELECT "invoiceId" FROM "Transaction" WHERE "environmentId" = $1 AND id = ANY($3))
     ORDER BY seq`,
    [customerIds, transactionIds],
  );

/** Refunds the gateways have not answered finally, and those named. */
const loadRefunds = (ctx: Context, customerIds: readonly string[], ids: readonly string[]): Promise<RefundRow[]> =>
  ctx.sql<RefundRow>(
    `SELECT ${columnList('Refund', 't')} FROM "Refund" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND (t.status IN ('pending', 'requires_action') OR t.id = ANY($3)) ORDER BY t.seq`,
    [customerIds, ids],
  );

/** Attempts that wait for somebody: for the gateway, or for a dispute to end. */
const isOpen = `(t.status = 'pending' OR (t.status = 'disputed' AND t."disputeOutcome" IS NULL))`;

const loadTransactions = (
  ctx: Context,
  customerIds: readonly string[],
  invoiceIds: readonly string[],
  ids: readonly string[],
): Promise<TransactionRow[]> =>
  ctx.sql<TransactionRow>(
    `SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND ${isOpen}
     UNION ALL
     SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND NOT ${isOpen} AND t."invoiceId" = ANY($3)
     UNION ALL
     SELECT ${columnList('Transaction', 't')} FROM "Transaction" t
     WHERE t."environmentId" = $1 AND NOT ${isOpen} AND t.id = ANY($4) AND coalesce(t."invoiceId", '') <> ALL($3)
     ORDER BY seq`,
    [customerIds, invoiceIds, ids],
  );

const loadMethods = (ctx: Context, customerIds: readonly string[]): Promise<PaymentMethodRow[]> =>
  ctx.sql<PaymentMethodRow>(
    `SELECT ${columnList('PaymentMethod', 't')} FROM "PaymentMethod" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );

/** What the invoices took from credits. */
const loadCreditUses = (ctx: Context, invoiceIds: readonly string[]): Promise<CreditUse[]> =>
  ctx.sql<CreditUse>(
    `SELECT t."invoiceId", t."creditId", -t.amount AS "amountMinor" FROM "InvoiceLine" t
     WHERE t."environmentId" = $1 AND t."invoiceId" = ANY($2) AND t."creditId" IS NOT NULL ORDER BY t."invoiceId", t.position`,
    [invoiceIds],
  );

/** The credits of the customers that can be used at an instant or later, and those named. */
const loadCredits = (ctx: Context, customerIds: readonly string[], at: Date, ids: readonly string[]): Promise<CustomerCreditRow[]> =>
  ctx.sql<CustomerCreditRow>(
    `SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     UNION ALL
     SELECT ${columnList('CustomerCredit', 't')} FROM "CustomerCredit" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2)
       AND t.id = ANY($4) AND NOT (t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3))
     ORDER BY "createdAt", seq`,
    [customerIds, at, ids],
  );

const loadApplications = (ctx: Context, subscriptionIds: readonly string[]): Promise<OfferApplicationRow[]> =>
  ctx.sql<OfferApplicationRow>(
    `SELECT ${columnList('OfferApplication', 't')} FROM "OfferApplication" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) ORDER BY t.seq`,
    [subscriptionIds],
  );

const loadDeadlines = (ctx: Context, customerIds: readonly string[], subscriptionIds: readonly string[]): Promise<DeadlineRow[]> =>
  ctx.sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM "Deadline" t WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($3)
     UNION ALL
     SELECT ${columnList('Deadline', 't')} FROM "Deadline" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" IS NULL AND t."customerId" = ANY($2) ORDER BY "dueAt", rank, id`,
    [customerIds, subscriptionIds],
  );

/** The catalogue the commands can need: the plans of the subscriptions, those they change to or wait to be paid for, and what a command names. */
async function loadCatalog(
  ctx: Context,
  { subscriptions, invoices }: { readonly subscriptions: readonly SubscriptionRow[]; readonly invoices: readonly InvoiceRow[] },
  named: Named,
  countries: readonly string[],
  addonIds: readonly string[],
): Promise<Catalog> {
  const planIds = new Set([...named.plans, ...plansOf(subscriptions)]);
  for (const { scheduledChange } of subscriptions) {
    if (scheduledChange !== null) planIds.add(scheduledChange.newPlanId);
  }
  for (const { purchase } of invoices) if (purchase !== null && 'toPlanId' in purchase) planIds.add(purchase.toPlanId);
  const { planCodes, prices: priceIds, featureCodes } = named;
  return catalogOf(await loadCatalogRows(ctx, { planIds: [...planIds], planCodes, priceIds, featureCodes, countries, addonIds }));
}

/**
 * Locks the customers of the commands and reads all their billing state, in the same number of statements for one as for hundreds, inside
 * an open transaction. Answers the aggregates by customer id, in order of the customers' seq; customers that do not exist are left out.
 */
export async function loadAggregates(ctx: Context, addressed: readonly Addressed[]): Promise<ReadonlyMap<string, Aggregate>> {
  if (ctx.transaction === null) throw new Error('Billing state is loaded inside a transaction, which holds its locks.');
  const named = namedBy(addressed);
  const customers = await lockCustomers(ctx, [...new Set(addressed.map(({ customerId }) => customerId))]);
  if (customers.length === 0) return new Map();
  const customerIds = customers.map(({ id }) => id);
  const subscriptions = await loadSubscriptions(ctx, customerIds, named);
  const refunds = await loadRefunds(ctx, customerIds, named.refunds);
  const transactionIds = [...named.transactions, ...refunds.map(({ transactionId }) => transactionId)];
  const invoices = await loadInvoices(ctx, customerIds, transactionIds);
  const transactions = await loadTransactions(
    ctx,
    customerIds,
    invoices.map(({ id }) => id),
    transactionIds,
  );
  const paymentsOf = await loadPayments(ctx, addressed, transactionIds);
  const uses = await loadCreditUses(
    ctx,
    invoices.map(({ id }) => id),
  );
  const earliest = new Date(Math.min(...addressed.map(({ command }) => command.dueAt.getTime())));
  const credits = await loadCredits(ctx, customerIds, earliest, [...named.credits, ...uses.map(({ creditId }) => creditId)]);
  const methods = await loadMethods(ctx, customerIds);
  const subscriptionIds = subscriptions.map(({ id }) => id);
  const applications = await loadApplications(ctx, subscriptionIds);
  const applicationsOf = bySubscription(applications);
  const deadlines = byCustomer(await loadDeadlines(ctx, customerIds, subscriptionIds));
  const activations = await loadActivations(ctx, subscriptionIds);
  // What an open invoice buys takes effect with the answer to its charge, for sale or not by then.
  const bought = invoices.flatMap(({ purchase }) => (purchase !== null && 'addonId' in purchase ? [purchase.addonId] : []));
  const addonIds = [...activations.map(({ addonId }) => addonId), ...bought, ...(await lockAddons(ctx, named.addons))];
  await lockGrantedPlans(ctx, named.grantedPlans);
  const catalog = await loadCatalog(ctx, { subscriptions, invoices }, named, countriesFor(customers, named), addonIds);
  const addonsOf = bySubscription(activations);
  const grantsOf = bySubscription(await loadGrants(ctx, subscriptions));
  const offering = await loadOffering(ctx, addressed, { customerIds, subscriptions, applications, catalog });
  const creditPacks = await loadCreditPacks(ctx, named.creditPacks);
  const stored = await loadConsumption(ctx, customerIds, subscriptionIds);
  const accounts = Map.groupBy(stored.accounts, ({ id }) => id);
  const counters = bySubscription(stored.counters);
  const draws = bySubscription(stored.draws);
  const counts = byCustomer(stored.counts);
  const of = {
    subscriptions: byCustomer(subscriptions),
    invoices: byCustomer(invoices),
    transactions: byCustomer(transactions),
    refunds: byCustomer(refunds),
    methods: byCustomer(methods),
    credits: byCustomer(credits),
    uses: Map.groupBy(uses, ({ invoiceId }) => invoiceId),
  };
  const taxRegistrations = await loadTaxRegistrations(ctx);
  const { organizationId, organizationCountry, cardPromotions } = ctx.environment;
  const { settlement } = ctx.app.config;
  const environment = { organizationId, organizationCountry, livemode: ctx.livemode, cardPromotions, settlement };
  return new Map(
    customers.map((customer) => {
      const own = of.subscriptions.get(customer.id) ?? [];
      const aggregate: Aggregate = {
        environment,
        customer,
        subscriptions: own,
        invoices: of.invoices.get(customer.id) ?? [],
        paymentMethods: of.methods.get(customer.id) ?? [],
        payments: paymentsOf(customer.id),
        transactions: of.transactions.get(customer.id) ?? [],
        refunds: of.refunds.get(customer.id) ?? [],
        offerApplications: own.flatMap(({ id }) => applicationsOf.get(id) ?? []),
        credits: of.credits.get(customer.id) ?? [],
        creditUses: (of.invoices.get(customer.id) ?? []).flatMap(({ id }) => of.uses.get(id) ?? []),
        deadlines: deadlines.get(customer.id) ?? [],
        catalog,
        offers: offering.offers,
        promoCodes: offering.promoCodes,
        cardPromotions: offering.cardPromotions,
        redemptions: offering.redemptions.filter(({ customerId }) => customerId === customer.id),
        accounts: own.flatMap(({ id }) => accounts.get(id) ?? []),
        counters: own.flatMap(({ id }) => counters.get(id) ?? []),
        draws: own.flatMap(({ id }) => draws.get(id) ?? []),
        counts: counts.get(customer.id) ?? [],
        addons: own.flatMap(({ id }) => addonsOf.get(id) ?? []),
        creditPacks,
        grants: own.flatMap(({ id }) => grantsOf.get(id) ?? []),
        taxRegistrations,
      };
      return [customer.id, aggregate];
    }),
  );
}
