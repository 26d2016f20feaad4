import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldText, piecesOf } from '../../../../src/domain/text/folding.ts';
import { createPayment, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { makeListRows } from '../../../support/list-rows.ts';
import { needsOneServer, plansAreRead } from '../../../support/nodes.ts';

// Search requires two characters and ignores case and accents (GLO-5b).

let t: TestApp;
let shop: Shop;
const names = [
  'a_b',
  'aXb',
  '100% wool',
  '1000 wool',
  "O'Brien",
  'back\\slash',
  'Ünal Şükrü',
  '李雷',
  '김민준',
  'やまだ',
  'Straße',
  'x"quote',
  '(paren)',
  'c++',
  'naïve',
  'Œuvre',
  'Müller',
  'ОЛЬГА',
  'İnci',
  'Bo',
];
const find = async (search: string, field = 'customers', shown = 'fullName'): Promise<string[]> => {
  const answer = await t.graphql<Record<string, { nodes: Record<string, string>[] }>>(
    `query ($search: String) { ${field}(first: 100, search: $search) { nodes { ${shown} } } }`,
    { search },
    { key: shop.key },
  );
  return (answer[field]?.nodes ?? []).map((node) => node[shown] ?? '').sort();
};
const hits = async (text: string): Promise<string[]> => {
  const { search } = await t.graphql<{ search: { kind: string; node: { id: string } }[] }>(
    'query ($text: String!) { search(text: $text, limit: 25) { kind node { id } } }',
    { text },
    { key: shop.key },
  );
  return search.map(({ kind }) => kind);
};

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  shop = await otherShop(t, 'A shop with many names');
  for (const [index, fullName] of names.entries())
    await shop.rest('POST', '/customers', { email: `n${index}@names.example`, fullName });
  for (const name of ['jo_hn', 'joXhn', 'plus+tag'])
    await shop.rest('POST', '/customers', { email: `${name}@mail.example`, fullName: `Mail ${name}` });
  await makeListRows(t.app.database.query, t.liveId, 3_000);
  await t.app.database.script('ANALYZE');
});
afterAll(() => t.close());

describe('customer search', () => {
  test.each([
    ['李雷', ['李雷']],
    ['김민', ['김민준']],
    ['민준', ['김민준']],
    ['やま', ['やまだ']],
    ['bo', ['Bo']],
    ['unal', ['Ünal Şükrü']],
    ['ÜNAL', ['Ünal Şükrü']],
    ['sukru', ['Ünal Şükrü']],
    ['muller', ['Müller']],
    ['Mu\u0308ller', ['Müller']],
    ['STRASSE', ['Straße']],
    ['straße', ['Straße']],
    ['naive', ['naïve']],
    ['oeuvre', ['Œuvre']],
    ['œuvre', ['Œuvre']],
    ['ольга', ['ОЛЬГА']],
    ['inci', ['İnci']],
    // Special characters are matched literally.
    ['a_b', ['a_b']],
    ['100%', ['100% wool']],
    ['0%', ['100% wool']],
    ['o_h', ['Mail jo_hn']],
    ["o'b", ["O'Brien"]],
    ['back\\s', ['back\\slash']],
    ['k\\', ['back\\slash']],
    ['plus+tag', ['Mail plus+tag']],
    ['x"q', ['x"quote']],
    ['(p', ['(paren)']],
    ['c+', ['c++']],
    ['++', ['c++']],
    // A full-width percent sign matches a percent sign and isn't a wildcard.
    ['100％', ['100% wool']],
    ['雷李', []],
    // A letter with a combining accent is a single character.
    ['e\u0301', []],
    ['\u0301\u0301', []],
    // A query can't match text that spans the name and email address.
    ['bon', []],
  ])('finds customers with the query %s', async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  test('finds customers by their new name and email address after an update', async () => {
    const { id } = (await shop.rest<{ id: string }>('POST', '/customers', { email: 'x@shop.test' })).body;
    await shop.rest('PATCH', `/customers/${id}`, { fullName: 'Ægir' });
    expect(await find('aegir')).toEqual(['Ægir']);
    await shop.rest('PATCH', `/customers/${id}`, { email: 'ødegård@shop.test' });
    expect(await find('odegard')).toEqual(['Ægir']);
  });
});

describe('a search for other objects', () => {
  test('finds payments by description, and offers, plans, and features by name', async () => {
    await createPayment(shop, { description: 'Crème brûlée' });
    expect(await find('BRULEE', 'payments', 'description')).toEqual(['Crème brûlée']);
    expect(await find('èm', 'payments', 'description')).toEqual(['Crème brûlée']);
    const phases = [{ type: 'percentage', percentage: 1_000, durationCycles: 1 }];
    await shop.rest('POST', '/offers', { name: 'Übergang 春', phases });
    expect(await find('ubergang', 'offers', 'name')).toEqual(['Übergang 春']);
    const { id } = (await shop.rest<{ id: string }>('POST', '/plans', { name: 'Übung', code: 'uebung' }))
      .body;
    await shop.rest('POST', '/features', { name: '座席', code: 'seat', type: 'boolean' });
    expect(await hits('ubung')).toEqual(['plan']);
    expect(await hits('座席')).toEqual(['feature']);
    expect(await hits('李雷')).toEqual(['customer']);
    await shop.rest('PATCH', `/plans/${id}`, { name: 'Größe' });
    expect(await hits('ubung')).toEqual([]);
    expect(await hits('grosse')).toEqual(['plan']);
    expect(await hits('uebung')).toEqual(['plan']);
  });
});

test.skipIf(needsOneServer(plansAreRead)).each(['李雷', 'muller'])(
  'customer search uses the index to find %s',
  async (search) => {
    const plan = await t.app.database.query<Record<'QUERY PLAN', string>>(
      `EXPLAIN SELECT id FROM "Customer" t WHERE t."environmentId" = $1 AND quittance_pieces(t."searchText") @> $2::text[]`,
      [t.liveId, piecesOf(search)],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('Customer_search');
  },
);

test("the database's search function splits a string into the same pieces as the search code", async () => {
  for (const text of [...names, '𠮷野家', 'ab', 'a', '']) {
    const folded = foldText(text);
    const [row] = await t.app.database.query<{ pieces: string[] }>('SELECT quittance_pieces($1) AS pieces', [
      folded,
    ]);
    const all = [...folded].flatMap((_first, start) =>
      [2, 3].flatMap((size) => {
        const piece = [...folded].slice(start, start + size);
        return piece.length === size ? [piece.join('')] : [];
      }),
    );
    expect([...(row?.pieces ?? [])].sort()).toEqual(all.sort());
    expect(row?.pieces).toEqual(expect.arrayContaining(piecesOf(folded)));
  }
});
