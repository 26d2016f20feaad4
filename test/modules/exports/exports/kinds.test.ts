import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ScopeAccess } from '../../../../src/graphql/declare/access.ts';
import { columnsOfKind } from '../../../../src/modules/exports/exports/derive-columns.ts';
import { isSeries, kindNames, kindOf } from '../../../../src/modules/exports/exports/find-kind.ts';
import { listKinds } from '../../../../src/modules/exports/exports/list-kinds.ts';
import { seriesKinds } from '../../../../src/modules/exports/exports/list-series.ts';
import { schema } from '../../../../src/schema.ts';

// Every list and series in the schema is an export type, unless its exclusion is listed here with the reason (DAT-30).

const excluded: Readonly<Record<string, string>> = {
  'AutoTopUp.attempts': 'Attempts of one customer. events and transactions contain their results.',
  'Customer.budgets': 'Parts of one customer. usage_events refers to them.',
  'Limit.raises': 'Current raises of one limit. events contains their changes.',
  'Customer.featureAccess':
    'Current access of one customer, derived from plan_features and add_on_activations.',
  'Customer.timeline':
    'Merged events, emails and notes of one customer. Events and emails have their own kinds.',
  'Query.mandates': 'Mandates are few. events contains their changes.',
  'Query.receipts': 'Receipts are few, and the statements of the bank contain them.',
  'Query.approvals': 'Requests that wait for a decision. events contains the requests and the decisions.',
  'Query.accounts': 'Current lots of one customer. balance_entries contains their changes.',
  'Query.aiModels': 'The catalog is the same for every organization.',
  'Query.assets': 'Settings with up to 50 rows. Lots and entries contain the codes of the units.',
  'Query.attention': 'Current notices that refer to other objects.',
  'Query.countries': 'Reference data of the installation.',
  'Query.currencies': 'Reference data of the installation.',
  'Query.exampleRuns': 'Sandbox data without business content.',
  'Query.exportSchedules': 'Configuration of the exports themselves.',
  'Query.exports': 'The exports themselves.',
  'Query.featureAccesses':
    'Current access of one customer, derived from plan_features and add_on_activations.',
  'Query.lots': 'Lots of one customer. balance_entries contains their changes.',
  'Query.memberInvitations': 'Belongs to the organization, not to an environment.',
  'Query.members': 'Belongs to the organization, not to an environment.',
  'Query.memberships': 'Belongs to a person.',
  'Query.metrics': 'Combines several series, each with its own kind.',
  'Query.metricsHeadline': 'Current values that the series contain.',
  'Query.metricsVerify': 'Consistency check without business data.',
  'Query.paymentRoutes': 'Settings per country. connected_accounts contains the countries.',
  'Query.ratePreview': 'Prices of the quantities in the request, without stored data.',
  'Query.savedViews': 'Belongs to a person.',
  'Query.search': 'Search results that refer to rows of other lists.',
  'Query.testClockRuns': 'Sandbox data without business content.',
  'TestClockRun.itemPages': 'Sandbox data without business content.',
  'Query.budgets': 'Parts of one customer. usage_events refers to them.',
  'Query.limitCrossings': 'events contains the same crossings.',
  'Query.limitStates': 'Current values of one customer, derived from usage_events.',
  'Query.planLimits': 'Current values of one customer, derived from usage_events.',
  'Query.usageHolds': 'Reservations of usage. usageEvents contains their settlements.',
  'Query.limits': 'Settings of the environment and its customers. events contains their crossings.',
  'Query.commitments': 'Lots of one subscription. The invoices of their purchases are in invoices.',
  'Subscription.commitments': 'Lots of one subscription. The invoices of their purchases are in invoices.',
  'Query.upcomingDeadlineDays': 'Number of upcoming deadlines, computed on request.',
  'Query.upcomingDeadlines': 'Upcoming deadlines, computed on request.',
  'Query.balanceEntries': 'Transfers of one account. ledger_transfers contains all accounts.',
  'Query.taxExposure':
    'Billed amounts compared with current tax registrations. metrics_billed contains the amounts.',
  'Query.usageQuotas': 'Current quotas of one customer, derived from quota_events.',
  'Query.usageTotals':
    'Usage of one customer and feature in the current usage window, derived from usage_events.',
  'Query.usageSeries': 'Usage of one customer and feature, included in usage_events and metrics_usage.',
};

type Field = GraphQLField<unknown, unknown>;

/** A paginated field's row type. `undefined` for other fields. */
function typeOfPage({ type }: Field): string | undefined {
  const connection = getNamedType(type);
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  return connection.name.endsWith('Connection') && nodes !== undefined
    ? getNamedType(nodes.type).name
    : undefined;
}

/** Row type of a list or series on the query type. `undefined` for other fields. */
function typeOfList(owner: GraphQLObjectType, { name, type }: Field): string | undefined {
  const rows = getNamedType(type);
  const isSeveral = isListType(getNullableType(type)) || name.startsWith('metrics');
  return owner === schema.getQueryType() && isSeveral && isObjectType(rows) ? rows.name : undefined;
}

const lists = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((owner) =>
    Object.values(owner.getFields()).flatMap((field) => {
      const type = typeOfPage(field) ?? typeOfList(owner, field);
      // Customer portal data is a subset of the organization's data.
      return type === undefined || owner.name.startsWith('Portal')
        ? []
        : [{ name: `${owner.name}.${field.name}`, type }];
    }),
  );

const exportedTypes = new Set(Object.values(listKinds).map(({ type }) => type as string | null));
const exportedFields = new Set(Object.values(seriesKinds).map(({ field }) => `Query.${field}`));

describe('an export type', () => {
  test('exists for every list and series in the schema, except for justified exclusions', () => {
    const left = lists.filter(({ name, type }) => !exportedTypes.has(type) && !exportedFields.has(name));
    expect(left.map(({ name }) => name).toSorted()).toEqual(Object.keys(excluded).toSorted());
    expect(lists.length).toBeGreaterThan(70);
  });

  test('requires at least the permissions that its list requires', () => {
    const queries = schema.getQueryType()?.getFields() ?? {};
    const weaker = Object.values(seriesKinds).filter(({ field, access }) => {
      const demanded = queries[field]?.extensions['access'] as ScopeAccess | undefined;
      return demanded?.scope !== access.scope;
    });
    expect(weaker).toEqual([]);
    const ofLists: Readonly<Record<string, keyof typeof listKinds>> = {
      bankAccounts: 'bank_accounts',
      invoices: 'invoices',
      ledgerTransfers: 'ledger_transfers',
      payments: 'payments',
      payouts: 'payouts',
      refunds: 'refunds',
      transactions: 'transactions',
    };
    for (const [name, kind] of Object.entries(ofLists)) {
      const list = queries[name === 'bankAccounts' ? 'payoutBankAccounts' : name];
      expect([kind, listKinds[kind].access]).toEqual([kind, list?.extensions['access']]);
    }
    expect(listKinds.api_keys.access).toEqual(queries['apiKeys']?.extensions['access']);
    expect(listKinds.webhooks.access).toEqual(queries['webhooks']?.extensions['access']);
  });

  test.each(kindNames)('%s has unique column names, and no columns that contain secrets', (name) => {
    const names = columnsOfKind(schema, name).map((column) => column.name);
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names).size).toBe(names.length);
    if (!isSeries(kindOf(name))) expect(names).toContain(name === 'mrr_changes' ? 'customerId' : 'id');
    expect(names.filter((column) => /secret|apiKey$|sealed|token/i.test(column))).toEqual(
      name === 'connected_accounts' ? ['hasWebhookSecret'] : [],
    );
  });
});
