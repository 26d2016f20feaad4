import {
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { RestRoute } from '../../src/graphql/declare/rest.ts';
import { restView } from '../../src/graphql/declare/rest.ts';
import { documentOf } from '../../src/rest/operation.ts';
import { matcherOf, routesOf } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';

restView('Thing', 'Thing', 'id name');
restView('BrokenThing', 'Thing', 'id color');

const Thing = new GraphQLObjectType({
  name: 'Thing',
  fields: { id: { type: new GraphQLNonNull(GraphQLID) }, name: { type: GraphQLString } },
});
const text = { type: GraphQLString };
const access = { scope: 'read' };

type Field = GraphQLFieldConfig<unknown, unknown>;
const field = (rest: Partial<RestRoute>, more: Partial<Field> = {}): Field => ({
  type: new GraphQLNonNull(Thing),
  extensions: { rest: { method: 'GET', path: '/things', view: 'Thing', ...rest }, access },
  ...more,
});

const schemaOf = (fields: Record<string, Field>, mutations?: Record<string, Field>): GraphQLSchema =>
  new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields }),
    mutation: mutations === undefined ? null : new GraphQLObjectType({ name: 'Mutation', fields: mutations }),
  });

const inputOf = (fields: Record<string, { type: typeof GraphQLString }>) => ({
  input: { type: new GraphQLNonNull(new GraphQLInputObjectType({ name: 'ThingInput', fields })) },
});

describe('an invalid route declaration', () => {
  const stops = (made: GraphQLSchema) => expect(() => routesOf(made));

  test('fails if two fields share a path, even with different parameter names', () => {
    const byId = field({ path: '/things/{id}' }, { args: { id: text } });
    const byName = field({ path: '/things/{name}' }, { args: { name: text } });
    stops(schemaOf({ byId, byName })).toThrow('GET /things/{} is offered twice, by byId and byName.');
  });

  test("fails if a path parameter isn't an argument of the field", () => {
    stops(schemaOf({ thing: field({ path: '/things/{id}' }) })).toThrow(
      'GET /things/{id} cannot be offered: the field thing takes no id, which its path names.',
    );
  });

  test('fails if an argument and an input field have the same name', () => {
    const thingRename = field(
      { method: 'POST', path: '/things/{id}' },
      { args: { id: text, ...inputOf({ id: text, name: text }) } },
    );
    stops(schemaOf({ thing: field({}) }, { thingRename })).toThrow(
      'POST /things/{id} cannot be offered: the field thingRename takes id twice.',
    );
  });

  test('fails if a view is undeclared, belongs to another type, or has unknown fields', () => {
    stops(schemaOf({ thing: field({ view: 'Nothing' }) })).toThrow(
      'answers the view Nothing, which no one declares.',
    );
    stops(schemaOf({ thing: field({ view: 'Customer' }) })).toThrow(
      'is of type Thing, but its view Customer shows Customer.',
    );
    const made = schemaOf({ thing: field({ view: 'BrokenThing' }) });
    const [route] = routesOf(made);
    if (route === undefined) throw new Error('There is no route.');
    expect(() => documentOf(made, route)).toThrow(
      'GET /things cannot be offered: Cannot query field "color" on type "Thing".',
    );
  });

  test("fails if a nullable field doesn't declare its REST response for null", () => {
    stops(schemaOf({ thing: field({}, { type: Thing }) })).toThrow(
      'can be null, but does not say what REST answers then.',
    );
    expect(routesOf(schemaOf({ thing: field({ allowsNull: true }, { type: Thing }) }))).toHaveLength(1);
  });

  test('fails if a field has no `access` option', () => {
    const { extensions } = field({});
    stops(schemaOf({ thing: field({}, { extensions: { rest: extensions?.['rest'] } }) })).toThrow(
      'has no access option.',
    );
  });
});

describe('a declared route', () => {
  test('reads its inputs from the path, the query, or the body, depending on the method', () => {
    const things = field({}, { args: { name: text } });
    const args = inputOf({ id: text, name: text });
    const thingRename = field({ method: 'PATCH', path: '/things/{id}' }, { args });
    const thingDelete = field({ method: 'DELETE', path: '/things/{id}' }, { args });
    const routes = routesOf(schemaOf({ things }, { thingRename, thingDelete }));
    expect(
      routes.map((route) => [
        route.field.name,
        route.inputs.map(({ name, place, path }) => [name, place, path[0] === 'input']),
      ]),
    ).toEqual([
      ['things', [['name', 'query', false]]],
      [
        'thingDelete',
        [
          ['id', 'path', true],
          ['name', 'query', true],
        ],
      ],
      [
        'thingRename',
        [
          ['id', 'path', true],
          ['name', 'body', true],
        ],
      ],
    ]);
    expect(routes.map((route) => route.isIdempotent)).toEqual([false, false, true]);
  });

  test('accepts a free-form map as the whole body', () => {
    const CountMap = new GraphQLScalarType({ name: 'CountMap' });
    const thingsCount = field(
      { method: 'PUT', path: '/things/{id}/counts' },
      { args: { id: text, counts: { type: new GraphQLNonNull(CountMap) } } },
    );
    const [route] = routesOf(schemaOf({ thing: { type: Thing } }, { thingsCount }));
    expect(route?.wholeBody?.name).toBe('counts');
  });

  test('returns the list envelope for a list without pages', () => {
    const [route] = routesOf(
      schemaOf({
        things: field({}, { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Thing))) }),
      }),
    );
    expect(route?.shape).toBe('list');
  });

  test('takes precedence over a route with a parameter if it has a fixed segment in its place, at each position', () => {
    const args = { id: text, part: text };
    const find = matcherOf(
      routesOf(
        schemaOf({
          thing: field({ path: '/things/{id}' }, { args }),
          newest: field({ path: '/things/newest' }),
          part: field({ path: '/things/{id}/{part}' }, { args }),
          name: field({ path: '/things/{id}/name' }, { args }),
          newestPart: field({ path: '/things/newest/{part}' }, { args }),
        }),
      ),
    );
    const found = (path: string) => {
      const match = find('GET', path);
      return match === null ? null : [match.route.field.name, match.parameters];
    };
    expect(found('/things/newest')).toEqual(['newest', {}]);
    expect(found('/things/other')).toEqual(['thing', { id: 'other' }]);
    expect(found('/things/newest/name')).toEqual(['newestPart', { part: 'name' }]);
    expect(found('/things/a/name')).toEqual(['name', { id: 'a' }]);
    expect(found('/things/a/b')).toEqual(['part', { id: 'a', part: 'b' }]);
    expect(found('/things/')).toBeNull();
    expect(found('/things/a/b/c')).toBeNull();
    expect(find('POST', '/things/newest')).toBeNull();
  });
});

/** Root fields that REST doesn't offer, with the reason for each. */
const graphqlOnly: Readonly<Record<string, string>> = {
  accounts: 'lots are listed by customer',
  lot: 'lots are listed by customer',
  lotRefundPreview: 'refunds are previewed in GraphQL only',
  aiModel: 'the contract names models in usage events only',
  aiModels: 'the contract names models in usage events only',
  cardPromotion: 'the contract names promotions only when subscribing',
  cardPromotionCreate: 'the contract names promotions only when subscribing',
  cardPromotionDelete: 'the contract names promotions only when subscribing',
  cardPromotionUpdate: 'the contract names promotions only when subscribing',
  cardPromotions: 'the contract names promotions only when subscribing',
  connectedAccount: 'connections are set up by people, in the dashboard',
  connectedAccountCreate: 'connections are set up by people, in the dashboard',
  connectedAccountUpdate: 'connections are set up by people, in the dashboard',
  connectedAccounts: 'connections are set up by people, in the dashboard',
  paymentRouteSet: 'connections are set up by people, in the dashboard',
  checkout: 'hosted page: called by the page with its token',
  checkoutAuthenticate: 'hosted page: called by the page with its token',
  checkoutPay: 'hosted page: called by the page with its token',
  pricingTablePreview: 'for dashboards',
  pricingPage: 'hosted page: called by the page with its token',
  pricingTablePurchase: 'hosted page: called by the page with its token',
  checkoutUpdate: 'hosted page: called by the page with its token',
  claimLink: 'called by the claim page',
  appConnectionRequest: 'apps are approved on dashboards',
  appConnectionApprove: 'apps are approved on dashboards',
  appConnectionDeny: 'apps are approved on dashboards',
  deviceLogin: 'command lines are approved on dashboards',
  deviceLoginApprove: 'command lines are approved on dashboards',
  deviceLoginDeny: 'command lines are approved on dashboards',
  deviceLoginStart: 'called by the command line',
  deviceLoginComplete: 'called by the command line',
  countries: 'choices of pages and dashboards',
  currencies: 'choices of pages and dashboards',
  customerNoteCreate: 'for dashboards',
  customerNoteDelete: 'for dashboards',
  customerNoteUpdate: 'for dashboards',
  refunds: 'the contract shows a refund only when it is requested',
  usageEvents: 'the event explorer of dashboards',
  usageSeries: 'charts of dashboards and the portal',
  events: 'the outbox, for dashboards; the contract delivers events to webhooks',
  balanceLedger: 'the contract has no route for the ledger',
  creditLedger: 'the contract has no route for the ledger',
  gatewayReconcile: 'the contract has no route for what payment providers have on record',
  ledgerVerify: 'the contract has no route for the ledger',
  memberInvitation: 'called by the claim page',
  memberInvitationAccept: 'called by the claim page',
  memberInvitationCancel: 'people are managed on dashboards',
  memberInvitations: 'people are managed on dashboards',
  liveTicketCreate: 'for people on dashboards, whose sockets carry GraphQL',
  approvalDecide: 'members decide on dashboards',
  memberInvite: 'people are managed on dashboards',
  memberRemove: 'people are managed on dashboards',
  memberRoleSet: 'people are managed on dashboards',
  members: 'people are managed on dashboards',
  memberships: 'for anyone who has signed in',
  metrics: 'all series in one question; REST has an address for each',
  organizationClaim: 'called by the claim page',
  savedViews: 'for dashboards',
  savedViewSave: 'for dashboards',
  savedViewDelete: 'for dashboards',
  viewerPreferencesSet: 'for anyone who has signed in',
  passkeyRemove: 'for anyone who has signed in',
  passkeyUpdate: 'for anyone who has signed in',
  sessionEnd: 'for anyone who has signed in',
  sessionsEndOthers: 'for anyone who has signed in',
  organizationLogoSet: 'the contract knows no settings',
  paymentRoutes: 'for dashboards',
  priceFor: 'for dashboards',
  organizationCreate: 'for anyone who has signed in',
  viewer: 'for anyone who has signed in',
  organization: 'the contract knows no settings',
  disputes: 'the contract lists payment attempts only',
  taxExposure: 'the contract knows no tax registrations',
  customerDelete: 'the contract does not delete customers; people do, on dashboards',
  customerPaymentMethodRemove: 'the contract removes no stored methods',
  organizationArchive: 'organizations are archived by their owners, on dashboards',
  organizationUpdate: 'the contract knows no settings',
  paymentLink: 'hosted page: called by the page with its token',
  paymentLinkAuthenticate: 'hosted page: called by the page with its token',
  paymentLinkPay: 'hosted page: called by the page with its token',
  paymentMethodAuthenticate: 'hosted page: called by the page with its token',
  paymentMethodStore: 'hosted page: called by the page with its token',
  paymentMethodUpdate: 'hosted page: called by the page with its token',
  payout: 'the contract only asks for payouts',
  payoutAccount: 'the contract has no route for it',
  payoutBalance: 'the contract has no route for it',
  payoutBankAccounts: 'the contract only registers bank accounts',
  payoutCancel: 'the contract only asks for payouts',
  payoutOutcomeSimulate: 'the sandbox plays the bank of the organization',
  payoutSimulate: 'the sandbox plays the bank of the organization',
  payouts: 'the contract only asks for payouts',
  payoutVerification: 'organizations are verified on dashboards',
  payoutVerificationSubmit: 'organizations are verified on dashboards',
  planPriceIntroductoryOfferSet: 'the contract only shows the offer placed on a price',
  checkoutQuote: 'hosted page: called by the page with its token',
  portal: 'hosted page: called by the page with its token',
  emailPreview: 'for dashboards',
  hostedInvoice: 'hosted page: called by the page with its token',
  portalLogin: 'hosted page: called by the page at which customers ask for a link',
  portalSessionRequest: 'hosted page: called by the page at which customers ask for a link',
  portalCustomerUpdate: 'hosted page: called by the page with its token',
  portalAddonActivate: 'hosted page: called by the page with its token',
  portalAddonDeactivate: 'hosted page: called by the page with its token',
  portalAutoTopUpRemove: 'hosted page: called by the page with its token',
  portalAutoTopUpSet: 'hosted page: called by the page with its token',
  portalBalanceTopUp: 'hosted page: called by the page with its token',
  portalCreditsPurchase: 'hosted page: called by the page with its token',
  portalCardAuthenticate: 'hosted page: called by the page with its token',
  portalLimitRaise: 'hosted page: called by the page with its token',
  portalLimitRemove: 'hosted page: called by the page with its token',
  portalLimitSet: 'hosted page: called by the page with its token',
  portalUsageLimits: 'hosted page: called by the page with its token',
  portalPaymentMethodStore: 'hosted page: called by the page with its token',
  portalMandateRevoke: 'hosted page: called by the page with its token',
  portalPaymentMethodRemove: 'hosted page: called by the page with its token',
  portalPaymentMethodDefaultSet: 'hosted page: called by the page with its token',
  portalSeatsSet: 'hosted page: called by the page with its token',
  portalRetentionOfferAccept: 'hosted page: called by the page with its token',
  retentionOffer: 'the contract has no route for it',
  retentionOfferSet: 'the contract has no route for it',
  portalPaymentRetry: 'hosted page: called by the page with its token',
  portalSubscriptionReactivate: 'hosted page: called by the page with its token',
  portalPlanChange: 'hosted page: called by the page with its token',
  portalPreview: 'hosted page: called by the page with its token',
  portalScheduledChangeRevoke: 'hosted page: called by the page with its token',
  portalSubscriptionCancel: 'hosted page: called by the page with its token',
  portalSubscriptionUncancel: 'hosted page: called by the page with its token',
  recovery: 'hosted page: called by the page with its token',
  recoveryAuthenticate: 'hosted page: called by the page with its token',
  recoveryPay: 'hosted page: called by the page with its token',
  subscriptionScheduledChangeRevoke: 'the contract has no route for it',
  taxRegistrationCreate: 'the contract knows no tax registrations',
  taxRegistrationDelete: 'the contract knows no tax registrations',
  taxDocumentCheck: 'for pages, while a number is typed in',
  taxRegistrations: 'the contract knows no tax registrations',
  subscriptionForecast: 'the contract has no route for it',
  subscriptionPreview: 'the contract previews plan changes only',
  testClockCancel: 'the contract has no route for it',
  upcomingDeadlines: 'dashboards look ahead',
  upcomingDeadlineDays: 'dashboards look ahead',
  upcomingPayments: 'dashboards look ahead',
  attention: 'the first page of dashboards',
  setup: 'the checklist of dashboards',
  search: 'the search of dashboards',
  balanceEntries: 'the contract has no route for the balance',
  ledgerAccounts: 'the contract has no route for the ledger',
  ledgerTransfers: 'the contract has no route for the ledger',
  testClockRuns: 'the contract shows the latest run at GET /test-clock',
  exampleRun: 'the contract fills no sandbox',
  exampleRuns: 'the contract fills no sandbox',
  exportColumns: 'the columns of REST are in its reference',
  sandboxReset: 'the contract empties no sandbox',
  sandboxExampleLoad: 'the contract fills no sandbox',
  testClockRun: 'the contract shows the latest run at GET /test-clock',
  testClockSimulate: 'the contract has no route for it',
  sandboxAttemptReport: 'the sandbox plays the bank of the payer',
  sandboxTransfer: 'the sandbox plays the bank of the payer',
  transactionDisputeResolve: 'the sandbox plays the bank of the payer',
  emails: 'the contract knows no emails',
  webhookDeliveries: 'the contract shows no deliveries but the result of a test',
  webhookDeliveriesResend: 'the contract has no route for it',
  webhookDeliveryResend: 'the contract has no route for it',
  metricsRebuild: 'what people do on dashboards',
  metricsVerify: 'what people do on dashboards',
  node: 'objects are found by type over REST',
  nodes: 'objects are found by type over REST',
};

describe("the product's REST API", () => {
  test('includes every root field except for the listed fields', () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    const without = fields
      .filter((field) => field.extensions['rest'] === undefined)
      .map((field) => field.name);
    expect(without.sort()).toEqual(Object.keys(graphqlOnly).sort());
  });

  test('declares every route correctly', () => {
    for (const route of routesOf(schema)) expect(documentOf(schema, route).definitions).toHaveLength(1);
  });
});
