import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { dump } from '../../../support/dump.ts';
import { createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';

const morning = '2027-03-01T08:00:00.000Z';
const noon = '2027-03-01T12:00:00.000Z';

const fields = `id text author { __typename } authorName editor { __typename } editorName createdAt updatedAt customer { id } object livemode`;
const create = `mutation ($input: CustomerNoteCreateInput!) { note: customerNoteCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: CustomerNoteUpdateInput!) { note: customerNoteUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($input: CustomerNoteDeleteInput!) { customerNoteDelete(input: $input) { deletedId deleted object } }';
const list = `query ($id: ID!, $first: Int, $after: String) {
  customer(id: $id) { notes(first: $first, after: $after) { edges { node { id text } } pageInfo { hasNextPage endCursor } } } }`;

type Note = { readonly id: string; readonly [field: string]: unknown };
type Listed = {
  readonly customer: {
    readonly notes: {
      readonly edges: readonly { readonly node: Note }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
};

describe('the customer note API', () => {
  let t: TestApp;
  let shop: Shop;
  let member: { readonly key: null; readonly headers: Record<string, string> };
  const wall = new MovableClock(morning);

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
    const { headers } = await memberOf(t, t.organizationId, 'member');
    member = { key: null, headers: { ...headers, 'x-environment': 'sandbox' } };
  });
  afterAll(() => t.close());

  const write = async (customerId: string, text: string, options = {}): Promise<Note> =>
    (await t.graphql<{ note: Note }>(create, { input: { customerId, text } }, options)).note;
  const notesOf = async (id: string, page = {}): Promise<Listed['customer']['notes']> =>
    (await t.graphql<Listed>(list, { id, ...page })).customer.notes;
  const textsOf = async (id: string): Promise<unknown[]> =>
    (await notesOf(id)).edges.map(({ node }) => node['text']);
  /** Returns the error code and the `param` of a rejected operation, and asserts that nothing changed. */
  const rejected = async (query: string, input: object, options = {}) => {
    const before = await dump(t.app.database.query);
    const { errors } = await t.graphqlFailure(query, { input }, options);
    expect(await dump(t.app.database.query)).toEqual(before);
    return [errors[0]?.extensions['code'], errors[0]?.extensions['param']];
  };

  test("records a note's author, editor, and times", async () => {
    const customer = await createCustomer(shop);
    const note = await write(customer.externalId, 'Wants\ninvoices on paper.', member);
    expect(note).toEqual({
      id: expect.stringMatching(/^note_[0-9A-Za-z]{22}$/),
      text: 'Wants\ninvoices on paper.',
      author: { __typename: 'Member' },
      authorName: 'Ada',
      editor: { __typename: 'Member' },
      editorName: 'Ada',
      createdAt: morning,
      updatedAt: morning,
      customer: { id: customer.id },
      object: 'customer_note',
      livemode: false,
    });
    wall.set(noon);
    const same = await t.graphql(update, { input: { id: note.id, text: note['text'] } });
    expect(same).toEqual({ note: { ...note, author: null, editor: null } });
    const changed = await t.graphql(update, { input: { id: note.id, text: 'Paper is fine.' } });
    const after = {
      ...note,
      text: 'Paper is fine.',
      author: null,
      editor: { __typename: 'ApiKey' },
      editorName: 'Test key',
      updatedAt: noon,
    };
    // API keys can't read members.
    expect(changed).toEqual({ note: after });
    expect(await t.graphql('query ($id: ID!) { node(id: $id) { id __typename } }', { id: note.id })).toEqual({
      node: { id: note.id, __typename: 'CustomerNote' },
    });
  });

  test("lists a customer's notes from newest to oldest with pagination", async () => {
    const [{ id }, other] = [await createCustomer(shop), await createCustomer(shop)];
    for (const text of ['one', 'two', 'three']) await write(id, text);
    await write(other.id, 'else');
    const first = await notesOf(id, { first: 2 });
    expect(first.edges.map(({ node }) => node['text'])).toEqual(['three', 'two']);
    const second = await notesOf(id, { first: 2, after: first.pageInfo.endCursor });
    expect([second.edges.map(({ node }) => node['text']), second.pageInfo.hasNextPage]).toEqual([
      ['one'],
      false,
    ]);
  });

  test('deletes notes permanently', async () => {
    const { id } = await createCustomer(shop);
    const [kept, note] = [await write(id, 'stays'), await write(id, 'goes')];
    expect(await t.graphql(remove, { input: { id: note.id } })).toEqual({
      customerNoteDelete: { deletedId: note.id, deleted: true, object: 'customer_note' },
    });
    expect(await textsOf(id)).toEqual(['stays']);
    expect(await rejected(remove, { id: note.id })).toEqual(['not_found', 'id']);
    expect(await rejected(update, { id: note.id, text: 'again' })).toEqual(['not_found', 'id']);
    expect(await t.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: kept.id })).toEqual({
      node: { id: kept.id },
    });
  });

  test('keeps notes within their environment, requires a customer and text, and sends no events', async () => {
    const { id } = await createCustomer(shop);
    const before = await t.graphql('{ events(first: 1) { edges { node { id } } } }');
    const note = await write(id, 'x'.repeat(10_000));
    expect(await t.graphql('{ events(first: 1) { edges { node { id } } } }')).toEqual(before);
    const live = { key: t.liveKey };
    expect(await rejected(update, { id: note.id, text: 'mine' }, live)).toEqual(['not_found', 'id']);
    expect(await rejected(remove, { id: note.id }, live)).toEqual(['not_found', 'id']);
    expect(await rejected(create, { customerId: id, text: 'mine' }, live)).toEqual([
      'customer_not_found',
      'customerId',
    ]);
    for (const text of ['', 'x'.repeat(10_001)])
      expect(await rejected(create, { customerId: id, text })).toEqual(['validation_error', 'text']);
  });
});
