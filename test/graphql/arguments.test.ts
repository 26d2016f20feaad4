import {
  execute,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  subscribe,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../src/domain/limits/permissions.ts';
import type { Access } from '../../src/graphql/declare/access.ts';
import { clientError, errorContextOf } from '../../src/graphql/declare/errors.ts';
import { formsOf, ruleOf } from '../../src/graphql/declare/rules.ts';
import { findEnvironment } from '../../src/platform/credentials.ts';
import { type Context, type Page, RequestContext } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import { createActiveSubscription, firstShop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Sends invalid values to every argument of every field, including nested fields.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Input = GraphQLArgument | GraphQLInputField;

/** Returns invalid values for an input, by problem. */
function wrongValues(input: Input): Record<string, unknown> {
  const type = getNullableType(input.type);
  const rule = ruleOf(input);
  if (isListType(type))
    return rule.maxItems === undefined
      ? { 'a list of nothing known': [{ nobody: 1 }] }
      : { 'a list too long': filler(input, rule.maxItems + 1) };
  if (isEnumType(type)) return { 'an unknown word': 'nobody_knows', 'a name of every object': 'constructor' };
  const numbers = {
    ...(rule.minimum === undefined ? {} : { 'one below the minimum': rule.minimum - 1 }),
    ...(rule.exclusiveMinimum === undefined ? {} : { 'the exclusive minimum': rule.exclusiveMinimum }),
    ...(rule.maximum === undefined || rule.maximum >= Number.MAX_SAFE_INTEGER
      ? {}
      : { 'one above the maximum': rule.maximum + 1 }),
  };
  const texts = {
    'a null character': `a\u0000b`,
    ...(rule.maxLength === undefined ? {} : { 'a string that is too long': 'a'.repeat(rule.maxLength + 1) }),
    ...(rule.minLength === undefined ? {} : { 'a string that is too short': 'a'.repeat(rule.minLength - 1) }),
    ...(rule.format === undefined ? {} : { 'a string in another format': '!' }),
  };
  const byType: Readonly<Record<string, Record<string, unknown>>> = {
    SafeInt: { ...numbers, 'a fraction': 1.5, 'a number that is too large': 2 ** 53, 'a string': 'x' },
    Float: { ...numbers, 'a string': 'x' },
    Int: { ...numbers, 'a fraction': 1.5, 'a number that is too large': 2 ** 31, 'a string': 'x' },
    String: { ...texts, 'a number': 1 },
    ID: { ...texts, 'an object': {} },
    Boolean: { 'a string': 'yes' },
    Date: { 'no date': 'yesterday', 'a day that the month does not have': '2027-02-29' },
    DateTime: { 'no date': 'yesterday', 'year 0': '0000-06-01T00:00:00Z' },
    Decimal: { 'no number': 'x', 'an exponent': '1e3', 'an object': {} },
    Json: { 'a string': 'x', 'more than 64 levels': nested(65) },
    TextMap: { 'a number in it': { a: 1 } },
    CountMap: { 'a negative count': { a: -1 } },
    Timezone: { 'an unknown word': 'Moon/Base' },
  };
  return byType[getNamedType(type).name] ?? {};
}

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

/** Returns a value of the correct type. The value may violate other rules, because all violations are reported together. */
function filler(input: Input, items = 1): unknown {
  const make = (type: GraphQLInputType): unknown => {
    if (isNonNullType(type)) return make(type.ofType);
    if (isListType(type)) return Array.from({ length: items }, () => make(type.ofType));
    if (isEnumType(type)) return type.getValues()[0]?.name;
    if (isInputObjectType(type)) {
      const { by } = formsOf(type) ?? {};
      const needed = Object.values(type.getFields()).filter(
        (member) => isNonNullType(member.type) || member.name === by,
      );
      return Object.fromEntries(needed.map((member) => [member.name, filler(member)]));
    }
    const samples: Readonly<Record<string, unknown>> = {
      Boolean: true,
      Date: '2026-01-01',
      DateTime: '2026-01-01T00:00:00Z',
      Decimal: '1',
      Json: {},
      TextMap: {},
      CountMap: {},
      Timezone: 'UTC',
      ID: 'nobody',
      String: 'nobody',
    };
    return samples[type.name] ?? Math.max(1, ruleOf(input).minimum ?? 1);
  };
  return make(input.type);
}

/** Test case: an argument value with one invalid input. */
type Case = { readonly path: string; readonly what: string; readonly value: unknown };

function casesOf(input: Input, path: string, depth = 0): Case[] {
  const type = getNullableType(input.type);
  const own = Object.entries(wrongValues(input)).map(([what, value]) => ({ path, what, value }));
  const item = isListType(type) ? getNullableType(type.ofType) : type;
  if (!isInputObjectType(item) || depth > 4) return own;
  const within = Object.values(item.getFields()).flatMap((member) => {
    const base = filler({ ...input, type: item });
    return casesOf(
      member,
      isListType(type) ? `${path}.0.${member.name}` : `${path}.${member.name}`,
      depth + 1,
    ).map((one) => {
      const value = { ...(base as object), [member.name]: one.value };
      return { ...one, value: isListType(type) ? [value] : value };
    });
  });
  return [...own, ...within];
}

type Field = { readonly type: GraphQLObjectType; readonly field: GraphQLField<unknown, unknown> };

const fields: readonly Field[] = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    Object.values((type as GraphQLObjectType).getFields()).map((field) => ({
      type: type as GraphQLObjectType,
      field,
    })),
  )
  .filter(({ field }) => field.args.length > 0);

/** Returns a schema with the type as its query root, so that the type's fields can be queried directly. */
const rooted = new Map<GraphQLObjectType, GraphQLSchema>();
const schemaAt = (type: GraphQLObjectType): GraphQLSchema =>
  rooted.getOrInsertComputed(type, () => new GraphQLSchema({ query: type }));

async function pageToken(page: Page): Promise<string> {
  return t.app.secrets.signPage({ page, environmentId: t.sandboxId, subjectId: 'nobody' });
}

/** Returns the context of a caller with access to the field. */
async function callerOf(access: Access | undefined): Promise<RequestContext> {
  const ctx = new RequestContext(t.app, 'arguments');
  const isLive =
    access !== undefined && ('member' in access || ('scope' in access && access.settings === true));
  const environment = await findEnvironment(t.app.database, isLive ? t.liveId : t.sandboxId);
  if (environment === null) throw new Error('There is no environment.');
  if (access === undefined || 'scope' in access)
    ctx.become({ kind: 'key', apiKeyId: 'key', scopes }, environment);
  else if ('page' in access)
    ctx.become(
      { kind: 'page', page: access.page, subjectId: 'nobody', token: await pageToken(access.page) },
      environment,
    );
  else if (!('anonymous' in access)) {
    const person = {
      id: 'person',
      email: 'ada@example.com',
      name: 'Ada',
      isEmailVerified: true,
      sessionId: 'session',
      provenAt: new Date(),
    };
    ctx.become({ kind: 'member', person, memberId: 'member', role: 'owner' }, environment);
  }
  return ctx;
}

/** Returns a field's response to the given arguments. */
async function emitted({ type, field }: Field, values: Readonly<Record<string, unknown>>, ctx: Context) {
  const isLive = type === schema.getSubscriptionType();
  const used = field.args.filter(({ name }) => name in values);
  const variables = used.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const text = `${isLive ? 'subscription' : 'query'} (${variables}) { ${field.name}(${used.map(({ name }) => `${name}: $${name}`).join(', ')}) ${selection} }`;
  const args = { document: parse(text), rootValue: {}, contextValue: ctx, variableValues: values };
  const result = await (isLive
    ? subscribe({ ...args, schema })
    : execute({ ...args, schema: schemaAt(type) }));
  const [error] = 'errors' in result ? (result.errors ?? []) : [];
  return error === undefined ? null : clientError(error, errorContextOf(ctx));
}

const named = fields.map((each) => [`${each.type.name}.${each.field.name}`, each] as const);

test('the tested fields include nested fields', () => {
  expect(named.map(([name]) => name)).toEqual(
    expect.arrayContaining(['Customer.invoices', 'TestClockRun.itemPages', 'Checkout.publishableKey']),
  );
});

test.each(named)('%s rejects every invalid value of each argument', async (_name, each) => {
  const { access } = each.field.extensions as { access?: Access };
  const ctx = await callerOf(access);
  const token = access !== undefined && 'page' in access ? await pageToken(access.page) : null;
  const withToken = (argument: GraphQLArgument, value: unknown): unknown => {
    const type = getNullableType(argument.type);
    const isInput =
      token !== null &&
      isInputObjectType(type) &&
      'token' in type.getFields() &&
      typeof value === 'object' &&
      value !== null;
    return isInput && access !== undefined && 'page' in access && access.page !== 'portal'
      ? { ...value, token }
      : value;
  };
  for (const argument of each.field.args) {
    for (const { path, what, value } of casesOf(argument, argument.name)) {
      const others = each.field.args.filter((other) => other !== argument && isNonNullType(other.type));
      const values = Object.fromEntries(
        others.map((other) => [other.name, other.name === 'token' ? token : withToken(other, filler(other))]),
      );
      const answer = await emitted(each, { ...values, [argument.name]: withToken(argument, value) }, ctx);
      const { code, status } = answer ?? {};
      if (path === 'token' || path === 'input.token') {
        // The operation rejects the token because its format is invalid, or because it identifies no object.
        expect([400, 401, 404], `${path}, ${what}`).toContain(status);
        continue;
      }
      expect({ path, what, code, status }).toEqual({ path, what, code: 'validation_error', status: 400 });
      // Rule violations report the field. GraphQL type errors name it only in the message.
      const places = ((answer?.details ?? []) as { field: string }[]).map(({ field }) => field);
      const place = path.replace(/^input\./, '');
      if (!places.includes('')) expect(places).toContain(place);
      else expect(answer?.message).toContain(argument.name);
    }
  }
});

describe('the page size of a nested list', () => {
  let customerId: string;
  beforeAll(async () => {
    customerId = (await createActiveSubscription(firstShop(t))).customerId;
  });

  const pages = [
    'invoices',
    'subscriptions',
    'credits',
    'payments',
    'planGrants',
    'usageEvents',
    'featureAccess',
  ];

  test.each([-5, -1, 0, 101, 12_000])('cannot be %i', async (first) => {
    for (const page of pages) {
      const { status, errors, data } = await t.graphqlFailure(
        `query ($id: ID!, $first: Int) { customer(id: $id) { ${page}(first: $first) { edges { cursor } pageInfo { hasNextPage } } } }`,
        { id: customerId, first },
      );
      expect(data).toEqual({ customer: null });
      expect(errors).toHaveLength(1);
      expect({
        status,
        path: errors[0]?.path,
        code: errors[0]?.extensions['code'],
        param: errors[0]?.extensions['param'],
      }).toEqual({
        status: 200,
        path: ['customer', page],
        code: 'validation_error',
        param: 'first',
      });
    }
  });

  test('can be 1 or 100', async () => {
    for (const first of [1, 100]) {
      const { customer } = await t.graphql<{ customer: { invoices: { edges: unknown[] } } }>(
        'query ($id: ID!, $first: Int) { customer(id: $id) { invoices(first: $first) { edges { cursor } } } }',
        { id: customerId, first },
      );
      expect(customer.invoices.edges).toHaveLength(1);
    }
  });

  test('is documented on every list with a different default', () => {
    const descriptions = fields.flatMap(({ type, field }) =>
      field.args
        .filter(({ name }) => name === 'first')
        .map(({ description }) => [`${type.name}.${field.name}`, description] as const),
    );
    const standard = 'Number of results to return, from 1 to 100. Defaults to 25.';
    const others = descriptions.filter(([, description]) => description !== standard);
    const upTo = (rows: number) =>
      `Number of results to return, from 1 to 100. If omitted, returns up to ${rows.toLocaleString('en')} results, or 25 if you pass \`after\`.`;
    expect(Object.fromEntries(others)).toEqual({
      'AttentionItem.sample': 'Number of objects to return, from 1 to 25. Defaults to 3.',
      'CatalogImpact.sample': 'Number of subscriptions to return, from 1 to 25. Defaults to 3.',
      'Customer.featureAccess': upTo(1_000),
      'Payout.entries': 'Number of results to return, from 1 to 1,000. Defaults to 100.',
      'Query.activeAddons': upTo(1_000),
      'Query.creditPacks': upTo(1_000),
      'Query.customerCredits': upTo(1_000),
      'Query.featureAccesses': upTo(1_000),
      'Query.features': upTo(1_000),
      'Query.lots': upTo(1_000),
      'Query.markets': upTo(1_000),
      'Query.planGrants': upTo(1_000),
      'Query.plans': upTo(1_000),
      'Query.subscriptions': upTo(100),
      'Query.usageQuotas': upTo(1_000),
      'Subscription.deadlines': 'Number of deadlines to return, from 1 to 20. Defaults to 10.',
      'TestClockRun.itemPages': 'Number of results to return, from 1 to 1,000. Defaults to 25.',
      'UpcomingPayments.paymentsAtRisk': 'Number of payments to return, from 1 to 100. Defaults to 25.',
    });
  });
});
