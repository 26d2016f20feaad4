import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsumer, of } from '../support/consumers.ts';
import { createCustomer, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Dry runs of mutations over GraphQL. Their effects are in the extensions of the response.

type Body = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  readonly extensions?: { readonly dryRun: Readonly<Record<string, unknown>> };
};

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

async function dry(query: string, variables: object, headers: Record<string, string> = {}): Promise<Body> {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-api-key': t.sandboxKey, 'x-quittance-dry-run': '1' },
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Body;
}

const count = async (table: string): Promise<number> => {
  const [row] = await t.app.database.query<{ count: bigint }>(
    `SELECT count(*) FROM "${table}" WHERE "environmentId" = $1`,
    [t.sandboxId],
  );
  return Number(row?.count);
};

const update = 'mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id fullName } }';

describe('a dry run over GraphQL', () => {
  it('returns the result and the effects of a mutation, and changes nothing', async () => {
    const { id } = await createCustomer(shop);
    const variables = { input: { id, fullName: 'Dry Run' } };
    const body = await dry(update, variables);
    expect(body).toMatchObject({
      data: { customerUpdate: { id, fullName: 'Dry Run' } },
      extensions: {
        dryRun: {
          isSimulated: true,
          events: [{ kind: 'customer.updated' }],
          money: [],
          previewHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
    });
    const { customer } = await t.graphql<{ customer: { fullName: string } }>(
      'query ($id: ID!) { customer(id: $id) { fullName } }',
      { id },
    );
    expect(customer.fullName).not.toBe('Dry Run');
  });

  it('stores no response under an idempotency key', async () => {
    const { id } = await createCustomer(shop);
    const headers = { 'idempotency-key': `dry ${id}` };
    const variables = { input: { id, fullName: 'Ada' } };
    await dry(update, variables, headers);
    const { customerUpdate } = await t.graphql<{ customerUpdate: { fullName: string } }>(update, variables, {
      headers,
    });
    expect(customerUpdate.fullName).toBe('Ada');
    expect((await dry(update, variables, headers)).extensions).toBeDefined();
  });

  it('predicts usage without recording it', async () => {
    const consumer = await createConsumer(shop);
    const track = 'mutation ($input: UsageTrackInput!) { usageTrack(input: $input) { featureCode value } }';
    const before = await count('UsageEvent');
    expect(await dry(track, { input: { ...of(consumer), value: 2 } })).toMatchObject({
      data: { usageTrack: { featureCode: consumer.feature.code, value: 2 } },
      extensions: { dryRun: { isSimulated: true, events: [{ kind: 'usage.recorded' }] } },
    });
    const failed = await dry(track, { input: { ...of(consumer), featureCode: 'unknown' } });
    expect(failed.errors?.[0]?.extensions.code).toBe('feature_not_found');
    expect(failed.extensions).toBeUndefined();
    expect(await count('UsageEvent')).toBe(before);
  });

  it('returns the errors of a mutation, and needs exactly one mutation field', async () => {
    const failed = await dry(update, { input: { id: 'cus_unknown', fullName: 'X' } });
    expect(failed.errors?.[0]?.extensions.code).toBe('customer_not_found');
    const { id } = await createCustomer(shop);
    const several = await dry(
      'mutation ($input: CustomerUpdateInput!) { a: customerUpdate(input: $input) { id } b: customerUpdate(input: $input) { id } }',
      { input: { id, fullName: 'X' } },
    );
    expect(several.errors?.[0]?.extensions.code).toBe('validation_error');
  });

  it('is ignored by queries', async () => {
    const { id } = await createCustomer(shop);
    const body = await dry('query ($id: ID!) { customer(id: $id) { id } }', { id });
    expect(body).toEqual({ data: { customer: { id } } });
  });
});
