import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../support/dump.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// GraphQL type errors name the invalid inputs, as do rule violations.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Violation = { readonly field: string; readonly message: string };

/** Returns the status of a rejected operation, with the first input and the details of its only error. Asserts that nothing has changed. */
async function rejected(query: string, variables: Record<string, unknown> = {}) {
  const before = await dump(t.app.database.query);
  const { status, errors, data } = await t.graphqlFailure(query, variables);
  expect(await dump(t.app.database.query)).toEqual(before);
  expect(errors).toHaveLength(1);
  expect(data).toBeUndefined();
  const { code, param, details } = errors[0]?.extensions ?? {};
  const all = (details ?? []) as readonly Violation[];
  expect({ status, code, param }).toEqual({ status: 400, code: 'validation_error', param: all[0]?.field });
  return Object.fromEntries(all.map(({ field, message }) => [field, message]));
}

const create = 'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id } }';
const int = 'must be a whole number between -2147483648 and 2147483647';

describe('a variable', () => {
  test('reports each missing, mistyped, and unknown input field', async () => {
    expect(
      await rejected(create, { input: { fullName: 5, nickname: 'A', address: { line1: true } } }),
    ).toMatchObject({
      email: 'is required',
      fullName: 'must be a string',
      nickname: "isn't a supported field",
      'address.line1': 'must be a string',
    });
  });

  test('reports broken rules together with type errors', async () => {
    expect(await rejected(create, { input: { email: 'none', fullName: 5 } })).toEqual({
      email: 'must be an email address',
      fullName: 'must be a string',
    });
  });

  test("is reported as required if it's non-null and is missing or null", async () => {
    expect(await rejected(create)).toEqual({ input: 'is required' });
    expect(await rejected(create, { input: null })).toEqual({ input: 'is required' });
    expect(await rejected(create, { input: { email: null } })).toEqual({ email: 'is required' });
  });

  test('is reported under the name of the field or argument that uses it, not under its own name', async () => {
    const named =
      'mutation ($mail: String!) { customerCreate(input: { email: $mail, externalId: "x" }) { id } }';
    expect(await rejected(named, { mail: 5 })).toEqual({ email: 'must be a string' });
    const below = `query ($id: ID!, $size: Int) { customer(id: $id) { ...Pages } }
      fragment Pages on Customer { invoices(first: $size) { edges { cursor } } }`;
    expect(await rejected(below, { id: {}, size: 'many' })).toEqual({
      id: 'must be a string',
      first: 'must be a whole number between 1 and 100',
    });
  });

  test('reports the accepted enum values, and the index of an invalid list item', async () => {
    const list =
      'query ($status: WebhookDeliveryStatus) { webhookDeliveries(status: $status) { edges { cursor } } }';
    const { status } = await rejected(list, { status: 'lost' });
    expect(status).toMatch(/^must be one of (\w+, )+\w+$/);
    const types = 'query ($types: [EventKind!]) { events(types: $types) { edges { cursor } } }';
    expect(
      Object.keys(await rejected(types, { types: ['customer_created', 'nothing.happened', null] })),
    ).toEqual(['types.1', 'types.2']);
  });
});

describe('a literal', () => {
  test('causes the same errors as a variable', async () => {
    const text =
      'mutation { customerCreate(input: { fullName: 5, nickname: "A", metadata: 1, address: { line1: true } }) { id } }';
    expect(await rejected(text)).toMatchObject({
      email: 'is required',
      fullName: 'must be a string',
      nickname: "isn't a supported field",
      metadata: 'must be an object',
      'address.line1': 'must be a string',
    });
  });

  test('reports a missing, unknown, or mistyped argument by its name', async () => {
    expect(await rejected('{ customer { id } }')).toEqual({ id: 'is required' });
    expect(await rejected('{ customers(size: 1) { edges { cursor } } }')).toEqual({
      size: "isn't a supported field",
    });
    expect(await rejected('{ customers(first: "many") { edges { cursor } } }')).toEqual({ first: int });
    expect(await rejected('{ webhookDeliveries(status: "pending") { edges { cursor } } }')).toMatchObject({
      status: expect.stringMatching(/^must be one of/),
    });
  });

  test("is reported together with the document's other errors", async () => {
    const { status, errors } = await t.graphqlFailure(
      '{ customers(first: "many") { edges { cursor nothing } } }',
    );
    expect(status).toBe(400);
    expect(errors.map(({ message }) => message)).toEqual([
      `first: ${int}.`,
      'Cannot query field "nothing" on type "CustomerEdge".',
    ]);
  });
});

describe('an input object that requires exactly one field', () => {
  const preview =
    'query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) { __typename } }';
  const exactlyOne = { command: expect.stringMatching(/^must have exactly one of (\w+, )*cancel(, \w+)+$/) };
  const member = '{ id: "sub_none" }';
  const literal = (command: string) => `{ subscriptionPreview(command: ${command}) { __typename } }`;

  test('rejects a variable with no field, with two fields, and with null', async () => {
    const id = { id: 'sub_none' };
    expect(await rejected(preview, { command: {} })).toEqual(exactlyOne);
    expect(await rejected(preview, { command: { cancel: id, uncancel: id } })).toEqual(exactlyOne);
    expect(await rejected(preview, { command: { cancel: id, uncancel: null } })).toEqual(exactlyOne);
    expect(await rejected(preview, { command: { cancel: null } })).toEqual({
      'command.cancel': 'must not be null',
    });
  });

  test('rejects a literal with no field, with two fields, and with null', async () => {
    expect(await rejected(literal('{}'))).toEqual(exactlyOne);
    expect(await rejected(literal(`{ cancel: ${member}, uncancel: ${member} }`))).toEqual(exactlyOne);
    expect(await rejected(literal('{ cancel: null }'))).toEqual({ 'command.cancel': 'must not be null' });
  });
});
