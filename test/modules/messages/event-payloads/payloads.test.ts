import { isObjectType, isUnionType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventKinds } from '../../../../src/domain/events/events.ts';
import { payloadTypeName } from '../../../../src/domain/events/payloads/payloads.ts';
import { openApiOf } from '../../../../src/rest/openapi.ts';
import { webhookExample } from '../../../../src/rest/openapi-webhooks.ts';
import { schema } from '../../../../src/schema.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { problemsIn } from '../../../support/json-schema.ts';

const document = openApiOf(schema, 'https://billing.example');
const problems = problemsIn(document);

const messageSchema = (kind: string): object => {
  const { post } = document.webhooks[kind] as {
    post: { requestBody: { content: { 'application/json': { schema: object } } } };
  };
  return post.requestBody.content['application/json'].schema;
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('the declared payloads', () => {
  test('are the `webhooks` of the OpenAPI document, with an example that matches its schema', () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventKinds]);
    for (const kind of eventKinds)
      expect(problems(messageSchema(kind), webhookExample(kind)), kind).toEqual([]);
  });

  test('are the types of the GraphQL union', () => {
    const union = schema.getType('EventPayload');
    expect(isUnionType(union) && union.getTypes().map(({ name }) => name)).toEqual(
      eventKinds.map(payloadTypeName).sort(),
    );
  });

  test('have fields that fragments on several GraphQL types can select together', () => {
    const nullable = new Map<string, Set<boolean>>();
    for (const kind of eventKinds) {
      const type = schema.getType(payloadTypeName(kind));
      if (!isObjectType(type)) throw new Error(`${kind} has no type.`);
      for (const { name, type: of } of Object.values(type.getFields()))
        nullable.getOrInsertComputed(name, () => new Set()).add(String(of).endsWith('!'));
    }
    expect([...nullable].filter(([, found]) => found.size > 1).map(([name]) => name)).toEqual([]);
  });
});

describe('Event.payload', () => {
  test('returns the data of an event with a type for each event type', async () => {
    const { body: customer } = await app.rest<{ id: string }>('POST', '/customers', {
      email: 'ada@example.com',
      externalId: 'ada',
      metadata: { tier: 'gold' },
    });
    const { body: feature } = await app.rest<{ id: string }>('POST', '/features', {
      code: 'sso',
      name: 'Single sign-on',
      type: 'boolean',
    });
    const { body: plan } = await app.rest<{ id: string }>('POST', '/plans', {
      name: 'Free',
      code: 'free',
      consumptionModel: 'metered',
      isFree: true,
    });
    const featured = await app.rest('POST', `/plans/${plan.id}/features`, {
      featureId: feature.id,
      enabled: true,
    });
    const published = await app.rest('POST', `/subscriptions`, { customerId: customer.id, planCode: 'free' });
    expect([featured.status, published.status]).toEqual([201, 201]);
    const { events } = await app.graphql<{
      events: { nodes: { data: Record<string, unknown>; payload: Record<string, unknown> }[] };
    }>(
      `{ events(first: 20) { nodes { data payload { __typename
        ... on CustomerCreatedPayload { customerId externalId metadata createdAt }
        ... on SubscriptionCreatedPayload { planName status customerId }
        ... on CustomerStateChangedPayload { trigger customerId features { code allowed type enabled } }
      } } } }`,
    );
    const payloads = events.nodes.map(({ payload }) => payload).toReversed();
    expect(payloads.find(({ __typename }) => __typename === 'CustomerCreatedPayload')).toEqual({
      __typename: 'CustomerCreatedPayload',
      customerId: customer.id,
      externalId: 'ada',
      metadata: { tier: 'gold' },
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    expect(payloads.find(({ __typename }) => __typename === 'SubscriptionCreatedPayload')).toEqual({
      __typename: 'SubscriptionCreatedPayload',
      planName: 'Free',
      status: 'active',
      customerId: 'ada',
    });
    expect(payloads.find(({ __typename }) => __typename === 'CustomerStateChangedPayload')).toEqual({
      __typename: 'CustomerStateChangedPayload',
      trigger: 'subscription_created',
      customerId: 'ada',
      features: [{ code: 'sso', allowed: true, type: 'boolean', enabled: true }],
    });
  });
});
