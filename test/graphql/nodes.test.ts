import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from '../../src/modules/organization/api-keys/mint.ts';
import { findEnvironment } from '../../src/platform/credentials.ts';
import { schema } from '../../src/schema.ts';
import { createBalanceConsumer, listModel } from '../support/consumers.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  createCreditNote,
  createDelivery,
  createSubscription,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { rootFields } from '../support/fields.ts';
import { startApp, type Tenant, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { exampleSettled } from '../support/operations/example-shop.ts';
import { storePasskey } from '../support/passkey.ts';
import { createPayout } from '../support/payouts.ts';
import { memberOf, type Session } from '../support/people.ts';
import { columnsRead } from '../support/statements.ts';

// An object loaded by ID must equal the object that another field returns, and must be hidden from callers without access.

let t: TestApp;
let mail: MailServer;
let shop: Shop;
let stranger: Tenant;
let owner: Session;
/** API keys with a single scope each. */
const keys = {} as Record<'read' | 'keys', string>;

/** Root fields whose setup creates objects of types that no other setup creates. */
const makers = [
  'autoTopUpSet',
  'commitmentPurchase',
  'subscriptionAddonActivate',
  'subscriptionOfferApply',
  'planFeatureAdd',
  'promoCodeCreate',
  'rateCardCreate',
  'cardPromotionCreate',
  'creditPackCreate',
  'exportCreate',
  'exportScheduleCreate',
  'customerCreditCreate',
  'customerNoteCreate',
  'marketCreate',
  'connectedAccountCreate',
  'paymentCreate',
  'planGrantCreate',
  'planGroupPlanAdd',
  'pricingTableCreate',
  'seatsAdd',
  'taxRegistrationCreate',
  'transactionRefund',
  'usageQuotaAdd',
  'usageTrack',
  'usageEventReplace',
  'budgetCreate',
  'limitRaise',
  'limitCrossings',
  'usageHold',
];

async function perform(name: string): Promise<void> {
  const field = rootFields.find((known) => known.name === name);
  if (field === undefined) throw new Error(`There is no ${name}.`);
  const { operation } = await field.make(shop);
  await t.graphql(operation.text, { ...operation.variables });
}

async function mint(scope: 'read' | 'keys'): Promise<string> {
  const environment = await findEnvironment(t.app.database, shop.environmentId);
  if (environment === null) throw new Error('The sandbox is gone.');
  const minted = await t.app.database.transaction((tx) =>
    mintKey(tx, environment, { name: 'nodes', scopes: [scope] }, t.app.wall.now()),
  );
  return minted?.secret ?? '';
}

beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all' } });
  shop = firstShop(t);
  await perform('sandboxExampleLoad');
  await exampleSettled(shop);
  for (const name of makers) await perform(name);
  await listModel(shop);
  await createBalanceConsumer(shop);
  await createPayout(shop);
  await shop.rest('POST', '/receipts', { amount: 500, currency: 'usd' });
  await createDelivery(shop);
  await createCreditNote(shop);
  stranger = await t.otherTenant();
  owner = await memberOf(t, t.organizationId, 'owner');
  await storePasskey(t, owner.userId);
  for (const scope of ['read', 'keys'] as const) keys[scope] = await mint(scope);
  const invite = rootFields.find(({ name }) => name === 'memberInvite');
  const { operation } = (await invite?.make(shop)) ?? {};
  await t.graphql(operation?.text ?? '', { ...operation?.variables }, people('live'));
  await t.graphql(
    'mutation ($input: SavedViewSaveInput!) { savedViewSave(input: $input) { id } }',
    { input: { list: 'customers', name: 'Debtors', settings: { sort: 'name' } } },
    people(),
  );
  await advanceDays(shop, 32);
  await eventually(
    () => t.graphql<{ emails: { edges: unknown[] } }>('{ emails { edges { cursor } } }'),
    ({ emails }) => emails.edges.length > 0,
  );
}, 300_000);
afterAll(async () => {
  await t.close();
  await mail.close();
});

/** Request headers for the signed-in owner. */
const people = (environment = 'sandbox') => ({
  key: null,
  headers: { ...owner.headers, 'x-environment': environment },
});

/** Query path to an object of each node type. `§` represents the selection. */
const places: Readonly<Record<string, string>> = {
  Addon: 'addons { edges { node { § } } }',
  AiModel: 'aiModels { edges { node { § } } }',
  AiModelPrice: 'aiModels { edges { node { history { § } } } }',
  ApiKey: 'apiKeys { edges { node { § } } }',
  CardPromotion: 'cardPromotions { edges { node { § } } }',
  ConnectedAccount: 'connectedAccounts { edges { node { § } } }',
  ConsumptionLedgerEntry:
    'subscriptions(first: 20) { edges { node { balanceLedger { edges { node { § } } } } } }',
  CreditPack: 'creditPacks { edges { node { § } } }',
  Customer: 'customers { edges { node { § } } }',
  CustomerCredit: 'customers { edges { node { credits { edges { node { § } } } } } }',
  CustomerNote: 'customers(first: 100) { edges { node { notes { edges { node { § } } } } } }',
  EmailNotification: 'emails { edges { node { § } } }',
  Event: 'events { edges { node { § } } }',
  ExportSchedule: 'exportSchedules { edges { node { § } } }',
  Export: 'exports { edges { node { § } } }',
  ExampleRun: 'exampleRuns { nodes { § } }',
  Feature: 'features { edges { node { § } } }',
  CreditNote: 'creditNotes { edges { node { § } } }',
  Invoice: 'invoices { edges { node { § } } }',
  InvoiceLineItem: 'invoices { edges { node { lineItems { § } } } }',
  LedgerTransfer: 'ledgerTransfers { nodes { § } }',
  Lot: 'customers { edges { node { pools { lots { § } } } } }',
  Market: 'markets { edges { node { § } } }',
  Member: 'members { § }',
  MemberInvitation: 'memberInvitations { § }',
  Offer: 'offers { edges { node { § } } }',
  Organization: 'organization { § }',
  Passkey: 'viewer { passkeys { § } }',
  Payment: 'payments { edges { node { § } } }',
  Receipt: 'receipts { edges { node { § } } }',
  Payout: 'payouts { edges { node { § } } }',
  PaymentMethod: 'customers(first: 100) { edges { node { paymentMethods { § } } } }',
  PayoutBankAccount: 'payoutBankAccounts { edges { node { § } } }',
  Plan: 'plans { edges { node { § } } }',
  PlanFeature: 'plans { edges { node { featureTerms { § } } } }',
  PlanGrant: 'customers { edges { node { planGrants { edges { node { § } } } } } }',
  PlanGroup: 'planGroups { edges { node { § } } }',
  PlanPrice: 'plans { edges { node { prices { § } } } }',
  PricingTable: 'pricingTables { edges { node { § } } }',
  PromoCode: 'promoCodes { edges { node { § } } }',
  Refund: 'transactions(first: 100) { edges { node { refunds { § } } } }',
  SeatEvent: 'customers { edges { node { seats { events { edges { node { § } } } } } } }',
  Subscription: 'subscriptions(first: 20) { edges { node { § } } }',
  SubscriptionAddon: 'subscriptions(first: 20) { edges { node { addons { edges { node { § } } } } } }',
  SubscriptionOfferApplication: 'subscriptions(first: 20) { edges { node { offerApplications { § } } } }',
  TaxRegistration: 'taxRegistrations { edges { node { § } } }',
  TestClock: 'testClock { § }',
  TestClockRun: 'testClock { latestRun { § } }',
  TestClockRunItem: 'testClock { latestRun { items { § } } }',
  SavedView: 'savedViews(list: "customers") { § }',
  Transaction: 'transactions { edges { node { § } } }',
  RateCard: 'rateCards { edges { node { § } } }',
  AutoTopUp: 'customers(first: 20) { edges { node { autoTopUps { § } } } }',
  AutoTopUpAttempt:
    'customers(first: 20) { edges { node { autoTopUps { attempts { edges { node { § } } } } } } }',
  Commitment: 'subscriptions(first: 20) { edges { node { commitments { edges { node { § } } } } } }',
  Budget: 'customers(first: 10) { edges { node { budgets { edges { node { § } } } } } }',
  Limit: 'limits { edges { node { § } } }',
  LimitCrossing: 'limitCrossings { edges { node { § } } }',
  LimitRaise: 'limits { edges { node { raises { edges { node { § } } } } } }',
  UsageCorrection: 'usageCorrections { edges { node { § } } }',
  UsageEvent: 'usageEvents { edges { node { § } } }',
  UsageHold: 'usageHolds { edges { node { § } } }',
  UsageQuotaEvent: 'customers { edges { node { quotas { events { edges { node { § } } } } } } }',
  Viewer: 'viewer { § }',
  ViewerSession: 'viewer { sessions { § } }',
  Webhook: 'webhooks { edges { node { § } } }',
  WebhookDelivery: 'webhookDeliveries { edges { node { § } } }',
};

/** Types whose objects only mutations return. */
const answered = ['UsageAdjustment'];

/** Types whose objects need a key with a policy or a bank debit, which this test doesn't create. */
const untested = ['Approval', 'Mandate'];

/** Types whose objects belong to a user. */
const forPeople = new Set(['Member', 'MemberInvitation', 'Passkey', 'SavedView', 'Viewer', 'ViewerSession']);

/** Fields whose value can change between two reads of the same object. */
const moving = new Set(['downloadUrl', 'lastUsedAt', 'now']);

const nodeInterface = schema.getType('Node');
const objectTypes = Object.values(schema.getTypeMap()).filter(isObjectType);
const isNode = (type: GraphQLObjectType): boolean =>
  type.getInterfaces().some((implemented) => implemented === nodeInterface);

/** Returns the names of a type's scalar fields without required arguments. */
const leaves = (type: string): string =>
  Object.values((schema.getType(type) as GraphQLObjectType).getFields())
    .filter(
      ({ args, type: of, name }) => args.length === 0 && isLeafType(getNamedType(of)) && !moving.has(name),
    )
    .map(({ name }) => name)
    .join(' ');

type Found = { readonly id: string; readonly __typename: string };

/** Returns the objects of a type in a response. */
function found(answer: unknown, type: string): Found[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('__typename' in answer && answer.__typename === type) return [answer as Found];
  return Object.values(answer).flatMap((below) => found(below, type));
}

const callerOf = (type: string) => (forPeople.has(type) ? people() : {});

/** Returns the IDs of up to five objects of a type. Excludes nested objects. */
async function idsOf(type: string): Promise<string[]> {
  const place = places[type]?.replace('§', '__typename id') ?? '';
  const objects = found(await t.graphql(`{ ${place} }`, {}, callerOf(type)), type);
  return [...new Set(objects.map(({ id }) => id))].slice(0, 5);
}

const byIds = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

const nodes = async (ids: readonly string[], options = {}): Promise<(Found | null)[]> =>
  (await t.graphql<{ nodes: (Found | null)[] }>(byIds, { ids }, options)).nodes;

describe('a node type of the schema', () => {
  it('exists for every type with an ID', () => {
    const withId = objectTypes.filter((type) => type.getFields()['id'] !== undefined);
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    // The custom unit `credits` isn't stored. An invoice adjustment isn't a node, because it has the ID of its document, which is a node. A request has the
    // request ID, which has no prefix. The API key of a command line has the ID of an API key, which is a node.
    expect(withId.filter((type) => !isNode(type) && !roots.includes(type)).map(({ name }) => name)).toEqual([
      'Asset',
      'DeviceLoginKey',
      'InvoiceAdjustment',
      'RequestLogEntry',
    ]);
  });

  it('is reachable through a tested path', () => {
    const names = objectTypes.filter(isNode).map(({ name }) => name);
    expect([...Object.keys(places), ...answered, ...untested].sort()).toEqual(names.sort());
  });
});

describe.each(Object.entries(places))('the node type %s', (type, place) => {
  it('returns the same object by ID as through its field', async () => {
    const ids = await idsOf(type);
    expect(ids.length).toBeGreaterThan(0);
    const shown = `__typename ${leaves(type)}`;
    const answer = await t.graphql<{ nodes: unknown[]; node: unknown }>(
      `query ($ids: [ID!]!, $id: ID!) { ${place.replace('§', shown)} nodes(ids: $ids) { ... on ${type} { ${shown} } } node(id: $id) { ...Shown } }
       fragment Shown on ${type} { ${shown} }`,
      { ids, id: ids[0] },
      callerOf(type),
    );
    const { nodes: byId, node: first, ...parents } = answer;
    const objects = new Map(found(parents, type).map((object) => [object.id, object]));
    expect(byId).toEqual(ids.map((id) => objects.get(id)));
    expect(first).toEqual(byId[0]);
  });

  it('is hidden from both environments of another organization', async () => {
    const ids = await idsOf(type);
    const expected = ids.map((id) => (place.startsWith('aiModels') ? { __typename: type, id } : null));
    expect(await nodes(ids, { key: stranger.sandboxKey })).toEqual(expected);
    expect(await nodes(ids, { key: stranger.liveKey })).toEqual(expected);
  });
});

describe('a node ID', () => {
  it('finds no sandbox objects in the live environment, but finds the organization in both environments', async () => {
    const shared = new Set(['AiModel', 'AiModelPrice', 'Organization', ...forPeople]);
    for (const type of Object.keys(places)) {
      const ids = await idsOf(type);
      const expected = ids.map((id) => (shared.has(type) ? { __typename: type, id } : null));
      const options = forPeople.has(type) ? people('live') : { key: t.liveKey };
      expect(await nodes(ids, options), type).toEqual(expected);
    }
  });

  it('finds no test clock in the live environment', async () => {
    expect(await nodes([t.liveId], { key: t.liveKey })).toEqual([null]);
    expect(await nodes([t.sandboxId])).toEqual([{ __typename: 'TestClock', id: t.sandboxId }]);
  });

  it("requires its type's scope", async () => {
    const [key, customer] = [await idsOf('ApiKey'), await idsOf('Customer')];
    const ids = [key[0] ?? '', customer[0] ?? ''];
    const [ofKey, ofCustomer] = [
      { __typename: 'ApiKey', id: ids[0] },
      { __typename: 'Customer', id: ids[1] },
    ];
    expect(await nodes(ids)).toEqual([ofKey, ofCustomer]);
    expect(await nodes(ids, { key: keys.read })).toEqual([null, ofCustomer]);
    expect(await nodes(ids, { key: keys.keys })).toEqual([ofKey, null]);
  });

  it("requires its type's role, and a signed-in member for personal types", async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const asMember = { key: null, headers: { ...member.headers, 'x-environment': 'sandbox' } };
    const ids = await Promise.all(
      ['ApiKey', 'Webhook', 'MemberInvitation', 'Member', 'Customer'].map(
        async (type) => (await idsOf(type))[0] ?? '',
      ),
    );
    const seen = (objects: readonly (Found | null)[]) => objects.map((object) => object?.__typename ?? null);
    expect(seen(await nodes(ids, people()))).toEqual([
      'ApiKey',
      'Webhook',
      'MemberInvitation',
      'Member',
      'Customer',
    ]);
    expect(seen(await nodes(ids, asMember))).toEqual([null, null, null, 'Member', 'Customer']);
    expect(seen(await nodes(ids))).toEqual(['ApiKey', 'Webhook', null, null, 'Customer']);
    expect(await nodes([owner.userId, member.userId], asMember)).toEqual([
      null,
      { __typename: 'Viewer', id: member.userId },
    ]);
  });

  it("keeps its position in the list of IDs, and returns null if it's unknown", async () => {
    const [customer = ''] = await idsOf('Customer');
    const [invoice = ''] = await idsOf('Invoice');
    const ids = ['cus_none', invoice, '', 'none', customer, 'openai/none', invoice, '_', 'org_none'];
    expect((await nodes(ids)).map((object) => object?.id ?? null)).toEqual(
      ids.map((id) => (id === customer || id === invoice ? id : null)),
    );
  });

  it('finds no deleted objects', async () => {
    const [id = ''] = await idsOf('Market');
    await t.graphql('mutation ($id: ID!) { marketDelete(input: { id: $id }) { deleted } }', { id });
    expect(await nodes([id])).toEqual([null]);
  });

  it('finds a usage adjustment immediately after the adjustment is recorded', async () => {
    const field = rootFields.find(({ name }) => name === 'usageSet');
    const { operation } = (await field?.make(shop)) ?? {};
    const shown = leaves('UsageAdjustment');
    const text = `mutation ($input: UsageSetInput!) { usageSet(input: $input) { ${shown} } }`;
    const { usageSet } = await t.graphql<{ usageSet: Found }>(text, { ...operation?.variables });
    const { node } = await t.graphql<{ node: unknown }>(
      `query ($id: ID!) { node(id: $id) { ... on UsageAdjustment { ${shown} } } }`,
      { id: usageSet.id },
    );
    expect(node).toEqual(usageSet);
    expect(await nodes([usageSet.id], { key: stranger.sandboxKey })).toEqual([null]);
  });
});

describe('a node query', () => {
  it('rejects page tokens and anonymous callers', async () => {
    const [id] = await idsOf('Customer');
    const { token } = await createSubscription(shop);
    const page = { key: null, headers: { authorization: `Bearer ${token}` } };
    for (const options of [{ key: null }, page]) {
      const { errors, data } = await t.graphqlFailure(
        'query ($id: ID!) { node(id: $id) { id } }',
        { id },
        options,
      );
      expect(errors[0]?.extensions['code']).toBe('unauthorized');
      expect(JSON.stringify(data)).not.toContain(id);
    }
  });

  it('accepts 1 to 100 IDs', async () => {
    for (const ids of [[], Array.from({ length: 101 }, (_, index) => `cus_${index}`)]) {
      const { errors } = await t.graphqlFailure(byIds, { ids });
      expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'ids' });
    }
    expect(await nodes(Array.from({ length: 100 }, (_, index) => `cus_${index}`))).toHaveLength(100);
  });
});

describe('a node query', () => {
  it('uses one statement per type, with the selected columns only', async () => {
    const ids = (await Promise.all(['Customer', 'Invoice', 'Plan'].map(idsOf))).flat();
    const { read } = await columnsRead(
      t,
      `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Customer { email } ...Rest } }
       fragment Rest on Node { ... on Invoice { total currency } ... on Plan { ... on Node { id } name } }`,
      { ids },
    );
    expect(ids.length).toBeGreaterThan(6);
    expect(read.toSorted()).toEqual(['Customer: email id', 'Invoice: currency id total', 'Plan: id name']);
  });

  it('uses one statement per nested level', async () => {
    const { read } = await columnsRead(
      t,
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Customer { invoices(first: 2) { edges { node { total } } } } } }`,
      { ids: await idsOf('Customer') },
    );
    expect(read).toEqual(['Customer: id', 'Invoice: customerId total']);
  });

  it("reads the invoice's currency only if a line item shows an amount", async () => {
    const ids = await idsOf('InvoiceLineItem');
    const operation = (field: string) =>
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on InvoiceLineItem { ${field} } } }`;
    expect((await columnsRead(t, operation('quantity'), { ids })).read).toEqual([
      'InvoiceLine: id invoiceId quantity',
    ]);
    expect((await columnsRead(t, operation('unitAmount'), { ids })).read).toEqual([
      'InvoiceLine: exactUnitAmount id invoiceId unitAmountRate',
      'Invoice: currency id',
    ]);
  });
});
