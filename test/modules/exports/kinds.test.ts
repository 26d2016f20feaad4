import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ScopeAccess } from '../../../src/graphql/access.ts';
import { columnsOfKind } from '../../../src/modules/exports/derive-columns.ts';
import { isSeries, kindNames, kindOf } from '../../../src/modules/exports/find-kind.ts';
import { listKinds } from '../../../src/modules/exports/list-kinds.ts';
import { seriesKinds } from '../../../src/modules/exports/list-series.ts';
import { schema } from '../../../src/schema.ts';

// Every list and every series of the schema is a kind of exports, or stands here with the reason why it is none (DAT-30).

const without: Readonly<Record<string, string>> = {
  'Customer.featureAccess':
    'What one customer may do at the moment; plan_features and add_on_activations lead to it.',
  'Customer.timeline': 'Events, emails and notes of one customer in one order; events and emails are kinds.',
  'Query.aiModels': 'The catalog is the same for everybody.',
  'Query.attention': 'Hints of the moment, which name what they are about.',
  'Query.countries': 'A table of the service.',
  'Query.currencies': 'A table of the service.',
  'Query.exampleRuns': 'Of a sandbox, about no business.',
  'Query.exportSchedules': 'The schedules of files.',
  'Query.exports': 'The files themselves.',
  'Query.featureAccesses': 'The same.',
  'Query.memberInvitations': 'Of the organization, not of an environment.',
  'Query.members': 'Of the organization, not of an environment.',
  'Query.memberships': 'Of a person.',
  'Query.metrics': 'Several series in one question, each of which is a kind.',
  'Query.metricsHeadline': 'A few figures of the moment, which the series have.',
  'Query.metricsVerify': 'A check.',
  'Query.paymentRoutes': 'Settings, one per country; connected_accounts name their countries.',
  'Query.savedViews': 'Of a person.',
  'Query.search': 'Hits of a search, which name rows of other lists.',
  'Query.testClockRuns': 'Of a sandbox, about no business.',
  'TestClockRun.itemPages': 'Of a sandbox, about no business.',
  'Query.upcomingDeadlineDays': 'What lies ahead, counted at the moment.',
  'Query.upcomingDeadlines': 'What lies ahead, worked out at the moment.',
  'Query.balanceEntries': 'Transfers of one account; ledger_transfers have all.',
  'Query.taxExposure': 'Billed amounts beside the registrations of the moment; metrics_billed has them.',
  'Query.usageQuotas': 'What one customer has at the moment; quota_events lead to it.',
  'Query.usageSeries': 'One customer and feature; usage_events and metrics_usage have all.',
};

type Field = GraphQLField<unknown, unknown>;

/** What the rows of a page are; undefined for a field that is no page. */
function typeOfPage({ type }: Field): string | undefined {
  const connection = getNamedType(type);
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  return connection.name.endsWith('Connection') && nodes !== undefined
    ? getNamedType(nodes.type).name
    : undefined;
}

/** What the rows of a list or a series at the root are; undefined for another field. */
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
      // What customers see is a part of what the organization sees.
      return type === undefined || owner.name.startsWith('Portal')
        ? []
        : [{ name: `${owner.name}.${field.name}`, type }];
    }),
  );

const exportedTypes = new Set(Object.values(listKinds).map(({ type }) => type as string | null));
const exportedFields = new Set(Object.values(seriesKinds).map(({ field }) => `Query.${field}`));

describe('the kinds of exports', () => {
  test('are all lists and series of the schema but those with a reason', () => {
    const left = lists.filter(({ name, type }) => !exportedTypes.has(type) && !exportedFields.has(name));
    expect(left.map(({ name }) => name).toSorted()).toEqual(Object.keys(without).toSorted());
    expect(lists.length).toBeGreaterThan(70);
  });

  test('demand at least what their lists demand', () => {
    const queries = schema.getQueryType()?.getFields() ?? {};
    const weaker = Object.values(seriesKinds).filter(({ field, access }) => {
      const demanded = queries[field]?.extensions['access'] as ScopeAccess | undefined;
      return demanded?.scope !== access.scope;
    });
    expect(weaker).toEqual([]);
    expect(listKinds.api_keys.access).toEqual(queries['apiKeys']?.extensions['access']);
    expect(listKinds.webhooks.access).toEqual(queries['webhooks']?.extensions['access']);
  });

  test.each(kindNames)('%s has columns of its own names, and no secret', (name) => {
    const names = columnsOfKind(schema, name).map((column) => column.name);
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names).size).toBe(names.length);
    if (!isSeries(kindOf(name))) expect(names).toContain(name === 'mrr_changes' ? 'customerId' : 'id');
    expect(names.filter((column) => /secret|apiKey$|sealed|token/i.test(column))).toEqual(
      name === 'connected_accounts' ? ['hasWebhookSecret'] : [],
    );
  });
});
