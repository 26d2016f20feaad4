import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { createClimber, createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';

type Entry = {
  readonly __typename: string;
  readonly id: string;
  readonly at: string;
  readonly source?: string;
};
type Timeline = {
  readonly edges: readonly { readonly cursor: string; readonly node: Entry }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
  };
};

const query = `query ($id: ID!, $first: Int, $after: String, $kinds: [TimelineKind!], $types: [EventKind!]) {
  customer(id: $id) { timeline(first: $first, after: $after, kinds: $kinds, types: $types) {
    edges { cursor node { __typename ... on Event { id at: timestamp source event } ... on EmailNotification { id at: createdAt } ... on CustomerNote { id at: createdAt } } }
    pageInfo { hasNextPage hasPreviousPage endCursor } } } }`;

const noteCreate = 'mutation ($input: CustomerNoteCreateInput!) { customerNoteCreate(input: $input) { id } }';

let mail: MailServer;
let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all' } });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

const timelineOf = async (id: string, args: object = {}): Promise<Timeline> =>
  (await t.graphql<{ customer: { timeline: Timeline } }>(query, { id, ...args })).customer.timeline;

const nodesOf = ({ edges }: Timeline): Entry[] => edges.map(({ node }) => node);
const idsOf = (timeline: Timeline): string[] => nodesOf(timeline).map(({ id }) => id);

/** Returns all entries, read page by page. */
async function walk(id: string, first: number, args: object = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: string | null = null;
  do {
    const page: Timeline = await timelineOf(id, { ...args, first, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    entries.push(...nodesOf(page));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return entries;
}

describe('a customer timeline', () => {
  let id: string;
  beforeAll(async () => {
    ({ customerId: id } = await createClimber(shop));
    // Emails are created shortly after their events.
    await eventually(async () => {
      const [behind] = await t.app.database.query<{ count: bigint }>(
        `SELECT e."eventPosition" - c.position AS count FROM "EnvironmentCounter" e JOIN "EmailCursor" c USING ("environmentId") WHERE "environmentId" = $1`,
        [t.sandboxId],
      );
      return behind?.count === 0n;
    });
    for (const text of ['First', 'Second']) await t.graphql(noteCreate, { input: { customerId: id, text } });
  });

  test('contains events, emails, and notes, from newest to oldest', async () => {
    const entries = await walk(id, 100);
    expect(new Set(entries.map(({ __typename }) => __typename))).toEqual(
      new Set(['CustomerNote', 'EmailNotification', 'Event']),
    );
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const stored = await t.app.database.query<{ id: string }>(
      `SELECT id FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind <> 'usage.recorded'
       UNION ALL SELECT id FROM "EmailNotification" WHERE "environmentId" = $1 AND "customerId" = $2 AND audience = 'customer'
       UNION ALL SELECT id FROM "CustomerNote" WHERE "environmentId" = $1 AND "customerId" = $2`,
      [t.sandboxId, id],
    );
    expect(entries.map((entry) => entry.id).sort()).toEqual(stored.map((row) => row.id).sort());
  });

  test('is the same for any page size, and continues after any entry', async () => {
    const whole = await timelineOf(id, { first: 100 });
    for (const size of [1, 2, 3, 7])
      expect((await walk(id, size)).map((one) => one.id)).toEqual(idsOf(whole));
    for (const [index, { cursor }] of whole.edges.entries())
      expect(idsOf(await timelineOf(id, { first: 100, after: cursor }))).toEqual(
        idsOf(whole).slice(index + 1),
      );
  });

  test('contains only entries of the requested types', async () => {
    const all = await walk(id, 100);
    const isChange = ({ source = '' }: Entry) => ['api', 'dashboard'].includes(source);
    const cases: [object, (entry: Entry) => boolean][] = [
      [{ kinds: ['note'] }, ({ __typename }) => __typename === 'CustomerNote'],
      [{ kinds: ['email'] }, ({ __typename }) => __typename === 'EmailNotification'],
      [{ kinds: ['change'] }, isChange],
      [{ kinds: ['event'] }, (entry) => entry.__typename === 'Event' && !isChange(entry)],
      [{ kinds: ['event', 'change'] }, ({ __typename }) => __typename === 'Event'],
      [{ kinds: ['note', 'change'] }, (entry) => entry.__typename === 'CustomerNote' || isChange(entry)],
    ];
    for (const [args, passes] of cases) {
      const expected = all.filter(passes).map((one) => one.id);
      expect(expected.length, JSON.stringify(args)).toBeGreaterThan(0);
      expect(
        (await walk(id, 2, args)).map((one) => one.id),
        JSON.stringify(args),
      ).toEqual(expected);
    }
    const created = await walk(id, 5, { kinds: ['event', 'change'], types: ['customer_created'] });
    expect(created).toMatchObject([{ __typename: 'Event', event: 'customer_created' }]);
  });

  test("isn't affected by newer entries during pagination", async () => {
    const before = await walk(id, 100);
    const first = await timelineOf(id, { first: 3 });
    await t.graphql(noteCreate, { input: { customerId: id, text: 'Third' } });
    const rest = await timelineOf(id, { first: 100, after: first.pageInfo.endCursor });
    expect(idsOf(rest)).toEqual(before.slice(3).map((one) => one.id));
  });

  test('rejects cursors from other lists', async () => {
    const { customer } = await t.graphql<{ customer: { events: { pageInfo: { endCursor: string } } } }>(
      'query ($id: ID!) { customer(id: $id) { events(first: 1) { pageInfo { endCursor } } } }',
      { id },
    );
    const forged = Buffer.from('timeline .bm90.').toString('base64url');
    for (const after of [customer.events.pageInfo.endCursor, 'timeline', forged]) {
      const { errors } = await t.graphqlFailure(query, { id, after });
      expect(errors[0]?.extensions['code'], after).toBe('validation_error');
    }
  });

  test('contains only the creation event if the customer is new', async () => {
    const customer = await createCustomer(shop);
    expect(nodesOf(await timelineOf(customer.id))).toMatchObject([
      { event: 'customer_created', source: 'api' },
    ]);
    expect(nodesOf(await timelineOf(customer.id, { kinds: ['email'] }))).toEqual([]);
  });
});
