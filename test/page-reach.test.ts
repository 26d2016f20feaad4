import {
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../src/schema.ts';
import { everyFew } from './support/every-few.ts';
import { createActiveSubscription, createSubscription, otherShop, type Shop } from './support/factories.ts';
import { type RootField, rootFields } from './support/fields.ts';
import { startApp, type TestApp } from './support/harness.ts';
import { liveClient } from './support/live.ts';

// Everything that a person can read with only a page link: all fields below the root fields for pages.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const pageFields = rootFields.filter(({ access }) => 'page' in access);
const roots = {
  query: schema.getQueryType(),
  mutation: schema.getMutationType(),
  live: schema.getSubscriptionType(),
};

function typeOf({ kind, name }: RootField): GraphQLNamedType {
  const field = roots[kind]?.getFields()[name];
  if (field === undefined) throw new Error(`${name} is no root field.`);
  return getNamedType(field.type);
}

/** Returns the composite types that are reachable from a type, including the type itself, by name. */
function reachable(
  type: GraphQLNamedType,
  found = new Map<string, GraphQLNamedType>(),
): Map<string, GraphQLNamedType> {
  if (found.has(type.name) || isLeafType(type)) return found;
  found.set(type.name, type);
  if (isUnionType(type)) for (const member of type.getTypes()) reachable(member, found);
  if (isObjectType(type))
    for (const field of Object.values(type.getFields())) reachable(getNamedType(field.type), found);
  return found;
}

/** Sample arguments for fields that require arguments. */
const needed: Readonly<Record<string, string>> = {
  usageSeries:
    '(featureCode: "calls", from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", granularity: day)',
};

/**
 * Selects every field below a type. Fields of union members have unique aliases, because the members can have
 * fields with the same name and different types.
 */
function everything(type: GraphQLNamedType, prefix = ''): string {
  if (isUnionType(type))
    return type
      .getTypes()
      .map((member) => `... on ${member.name} { ${everything(member, `${member.name}_`)} }`)
      .join(' ');
  if (!isObjectType(type)) throw new Error(`${type.name} has no fields.`);
  return Object.values(type.getFields())
    .map(({ name, type: of }) => {
      const named = getNamedType(of);
      const called = `${name}${needed[name] ?? ''}`;
      const shown = prefix === '' ? called : `${prefix}${name}: ${called}`;
      return `${shown}${isCompositeType(named) ? ` { ${everything(named)} }` : ''}`;
    })
    .join(' ');
}

const types = new Map(pageFields.flatMap((field) => [...reachable(typeOf(field))]));

test('hosted page operations expose only the types that are intended for hosted pages', () => {
  expect([...types.keys()].sort()).toEqual([
    'AutoTopUpRefill',
    'AutoTopUpUse',
    'BooleanBaseAccess',
    'BoundedCount',
    'CardAuthentication',
    'CardRequest',
    'Checkout',
    'CheckoutCollection',
    'CheckoutInstrument',
    'CheckoutInterval',
    'CheckoutQuote',
    'CheckoutResult',
    'CheckoutSeats',
    'CheckoutSettings',
    'CheckoutSubscription',
    'CheckoutTestAccount',
    'CountBaseAccess',
    'CustomerAddress',
    'HostedInvoice',
    'InvoiceBuyer',
    'InvoiceSeller',
    'InvoiceTax',
    'OfferedFeature',
    'OfferedOverage',
    'PageBranding',
    'PageInfo',
    'PageMarks',
    'PayerInvoiceLine',
    'PaymentInstructions',
    'PaymentLink',
    'PaymentLinkResult',
    'PlanFeatureRegionalPrice',
    'Portal',
    'PortalAddon',
    'PortalAutoTopUp',
    'PortalBudget',
    'PortalBudgetConnection',
    'PortalBudgetEdge',
    'PortalCommitment',
    'PortalCreditNote',
    'PortalCreditPack',
    'PortalCustomer',
    'PortalInvoice',
    'PortalInvoiceConnection',
    'PortalInvoiceEdge',
    'PortalLedgerConnection',
    'PortalLedgerEdge',
    'PortalLedgerEntry',
    'PortalLimit',
    'PortalLimitThreshold',
    'PortalLot',
    'PortalMandate',
    'PortalOfferedAddon',
    'PortalPaymentMethod',
    'PortalPlanChange',
    'PortalPlanOption',
    'PortalPool',
    'PortalPreview',
    'PortalRetainedCharge',
    'PortalRetentionOffer',
    'PortalRetentionPhase',
    'PortalSettings',
    'PortalSubscription',
    'PortalUnit',
    'PortalUsageLimits',
    'PricingPage',
    'PricingPagePlan',
    'PricingPagePrice',
    'PricingPageRate',
    'PricingPurchase',
    'QrCode',
    'Rate',
    'RateOverride',
    'RateTier',
    'SavedMethod',
    'ScheduledPlanChange',
    'SubscriptionBalance',
    'SubscriptionBooleanFeature',
    'SubscriptionCancellation',
    'SubscriptionCredits',
    'SubscriptionFeature',
    'SubscriptionFeatureUsage',
    'SubscriptionPeriod',
    'SubscriptionPlan',
    'SubscriptionQuotaFeature',
    'SubscriptionSeatsFeature',
    'SubscriptionUsageFeature',
    'UpcomingCharge',
    'UsageSpan',
  ]);
});

test('hosted page operations expose no fields with merchant data and no arguments that identify an object', () => {
  const fields = [...types.values()]
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const secret =
    /^(metadata|externalId|reference|provider|customerId|subscriptionId|selection|portalUrl|apiKey)$/i;
  expect(
    fields
      .filter(({ field }) => secret.test(field.name))
      .map(({ type, field }) => `${type.name}.${field.name}`),
    // The ID of the subscription that the page shows, and references that the customer's bank also shows: of a transfer and of a mandate.
  ).toEqual([
    'PaymentInstructions.reference',
    'PortalMandate.reference',
    'CheckoutSubscription.subscriptionId',
  ]);
  const args = fields.flatMap(({ type, field }) =>
    field.args.map(({ name }) => `${type.name}.${field.name}(${name})`),
  );
  expect(args.sort()).toEqual([
    'CardRequest.locale(link)',
    'Checkout.lineItems(link)',
    'Checkout.locale(link)',
    'Checkout.publishableKey(country)',
    'Checkout.rates(link)',
    'CheckoutQuote.lineItems(link)',
    'CheckoutSeats.rate(unlessPlain)',
    'HostedInvoice.locale(link)',
    'OfferedOverage.rate(unlessPlain)',
    'PayerInvoiceLine.label(link)',
    'PayerInvoiceLine.why(link)',
    'PaymentLink.locale(link)',
    'Portal.invoices(after)',
    'Portal.invoices(before)',
    'Portal.invoices(first)',
    'Portal.invoices(last)',
    'Portal.locale(link)',
    'PortalBudgetConnection.marks(every)',
    'PortalBudgetConnection.marks(upTo)',
    'PortalBudgetConnection.totalCount(upTo)',
    'PortalInvoiceConnection.marks(every)',
    'PortalInvoiceConnection.marks(upTo)',
    'PortalInvoiceConnection.totalCount(upTo)',
    'PortalLedgerConnection.marks(every)',
    'PortalLedgerConnection.marks(upTo)',
    'PortalLedgerConnection.totalCount(upTo)',
    'PortalSubscription.balanceLedger(after)',
    'PortalSubscription.balanceLedger(before)',
    'PortalSubscription.balanceLedger(first)',
    'PortalSubscription.balanceLedger(last)',
    'PortalSubscription.creditLedger(after)',
    'PortalSubscription.creditLedger(before)',
    'PortalSubscription.creditLedger(first)',
    'PortalSubscription.creditLedger(last)',
    'PortalSubscription.usageSeries(featureCode)',
    'PortalSubscription.usageSeries(from)',
    'PortalSubscription.usageSeries(granularity)',
    'PortalSubscription.usageSeries(to)',
    'PortalUsageLimits.budgets(after)',
    'PortalUsageLimits.budgets(before)',
    'PortalUsageLimits.budgets(first)',
    'PortalUsageLimits.budgets(last)',
    'PricingPage.locale(link)',
    'PricingPageRate.text(link)',
    'SubscriptionFeatureUsage.rate(unlessPlain)',
  ]);
});

/** Returns a valid operation that selects everything below a field. */
async function wholeOf(field: RootField, shop: Shop) {
  const { text, variables } = (await field.make(shop)).operation;
  const [head = ''] = /^.*?\(token: \$token[^)]*\)|^.*?\(input: \$input\)/.exec(text) ?? [];
  return { query: `${head} { ${everything(typeOf(field))} } }`, variables };
}

async function answerOf(field: RootField, shop: Shop): Promise<unknown> {
  const { query, variables } = await wholeOf(field, shop);
  await mark(shop);
  if (field.kind !== 'live') return t.graphql(query, variables, { key: null });
  const client = liveClient(t.url, { token: variables['token'] });
  try {
    const { value } = await client.iterate({ query, variables }).next();
    expect(value?.errors).toBeUndefined();
    return value?.data;
  } finally {
    await client.dispose();
  }
}

/** Sets the customer fields that only the merchant may read, for all customers. */
const mark = ({ environmentId }: Shop): Promise<unknown> =>
  t.app.database.query(
    `UPDATE "Customer" SET "externalId" = 'secret-' || id, metadata = '{"note":"secret-note"}' WHERE "environmentId" = $1`,
    [environmentId],
  );

/**
 * Creates subscriptions for other customers in the same organization. Returns the IDs of the subscriptions, the
 * customers, and their invoices.
 */
async function createForeign(shop: Shop): Promise<string[]> {
  const others = [await createActiveSubscription(shop), await createSubscription(shop)];
  const { body } = await shop.rest<{ data: { id: string; customerId: string }[] }>('GET', '/invoices');
  const theirs = new Set(others.map(({ customerId }) => customerId));
  const invoices = body.data.filter((row) => theirs.has(row.customerId));
  return [...others.map(({ id }) => id), ...theirs, ...invoices.map(({ id }) => id)];
}

describe('a hosted page operation', () => {
  let shop: Shop;
  let foreign: string[];
  beforeEach(
    everyFew(15, async () => {
      shop = await otherShop(t);
      foreign = await createForeign(shop);
    }),
  );

  test.each(pageFields.map((field) => [field.name, field] as const))(
    "doesn't return other customers' data: %s",
    async (_name, field) => {
      const text = JSON.stringify(await answerOf(field, shop));
      expect(text.length).toBeGreaterThan(20);
      expect(text).not.toContain('secret-');
      expect(foreign.length).toBeGreaterThan(4);
      expect(foreign.filter((id) => text.includes(id))).toEqual([]);
    },
  );
});
