import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { rejection } from '../support/refusals.ts';
import { resourceCases, type Values } from '../support/resource-cases.ts';

// Rules that all resources share. The test files of individual resources contain only the tests of rules that are specific to the resource.

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';
const night = '2026-03-01T22:00:00.000Z';

let t: TestApp;
const wall = new MovableClock(morning);
beforeAll(async () => {
  t = await startApp({ wall });
});
afterAll(() => t.close());
beforeEach(() => wall.set(morning));

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** Returns `done` for a successful request, or the code of its error. */
const outcome = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1] ?? error.message,
  );

describe.each(resourceCases)('the resource $type', (resource) => {
  const { type, list, fields, reference = 'id', required = [], unique = [], changes, deletion } = resource;
  const name = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const selection = `id ${fields} createdAt object livemode`;
  const mutation = (verb: string, result: string): string =>
    `mutation ($input: ${type}${verb}Input!) { result: ${name}${verb}(input: $input) { ${result} } }`;
  const create = mutation('Create', selection);
  const update = mutation('Update', selection);
  const remove = mutation('Delete', 'deletedId deleted object livemode');
  const node = `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`;
  const get = `query ($reference: ${reference === 'id' ? 'ID' : 'String'}!) { ${name}(${reference}: $reference) { ${selection} } }`;

  type Made = {
    readonly input: Values;
    readonly id: string;
    readonly referred: Values;
    readonly shown: Values;
  };

  let shop: Shop;
  let number = 0;
  beforeAll(async () => {
    shop = await otherShop(t);
    await resource.prepare?.(shop);
  });

  const newInput = (within = shop): Promise<Values> => resource.input(within, ++number);
  const run = async (operation: string, input: Values, key = shop.key): Promise<Values> =>
    (await t.graphql<{ result: Values }>(operation, { input }, { key })).result;
  const store = async (input: Values, within = shop): Promise<Made> => {
    const shown = await run(create, input, within.key);
    const values: Values = { ...input, ...shown };
    return { input, id: String(shown['id']), referred: { [reference]: values[reference] }, shown };
  };
  const make = async (within = shop): Promise<Made> => store(await newInput(within), within);
  const change = ({ referred, input }: Made, values: Values): Promise<Values> =>
    run(update, { ...pick(input, required), ...values, ...referred });
  const rowOf = async ({ id }: Made): Promise<Values | undefined> =>
    (
      await t.app.database.query<{ row: Values }>(
        `SELECT to_jsonb(t) AS row FROM "${type}" t WHERE id = $1`,
        [id],
      )
    )[0]?.row;
  const listed = async (key = shop.key): Promise<string[]> => {
    const { page } = await t.graphql<{ page: { edges: { node: { id: string } }[] } }>(
      `{ page: ${list}(first: 100) { edges { node { id } } } }`,
      {},
      { key },
    );
    return page.edges.map((edge) => edge.node.id);
  };
  /** Requests for an object that must fail as if the object doesn't exist. */
  const requestsFor = ({ input, referred }: Made): (readonly [string, Values])[] => [
    ...(deletion === null ? [] : [[remove, { input: referred }] as const]),
    ...(changes[0] === undefined
      ? []
      : [[update, { input: { ...pick(input, required), ...changes[0], ...referred } }] as const]),
    ...(resource.isReadable ? [[get, { reference: referred[reference] }] as const] : []),
  ];
  const missing = { code: resource.missing, status: 404, param: reference };

  test('is created with default values', async () => {
    const { input, id, shown } = await make();
    expect(shown).toEqual({
      ...pick(input, Object.keys(shown)),
      ...resource.defaults,
      id: expect.stringMatching(new RegExp(`^${resource.prefix}_[0-9A-Za-z]{22}$`)),
      createdAt: morning,
      ...('updatedAt' in shown ? { updatedAt: morning } : {}),
      object: resource.object,
      livemode: false,
    });
    expect(await t.graphql(node, { id }, { key: shop.key })).toEqual({ node: shown });
  });

  test.runIf(unique.length > 0)("is unique among the objects that aren't deleted", async () => {
    for (const { field, code, param = field, isFixed, isReference } of unique) {
      const [first, second] = [await make(), await make()];
      const taken = pick(first.input, [field]);
      const error = { code, status: 409, param: expect.stringMatching(new RegExp(`^${param}(\\.0)?$`)) };
      const rival = { ...(await newInput()), ...taken };
      expect(await rejection(t, create, { input: rival }, { key: shop.key })).toMatchObject(error);
      if (isFixed === undefined)
        expect(
          await rejection(
            t,
            update,
            { input: { ...pick(second.input, required), ...taken, ...second.referred } },
            { key: shop.key },
          ),
        ).toMatchObject(error);
      if (isReference === undefined) {
        const other = await otherShop(t);
        await resource.prepare?.(other);
        await store({ ...(await newInput(other)), ...taken }, other);
      }
      if (deletion === null) continue;
      await run(remove, first.referred);
      if (isFixed === undefined) await change(second, taken);
      else await store(rival);
    }
  });

  test.runIf(unique.length > 0)('is created or changed once by concurrent requests', async () => {
    for (const { field, code, isFixed } of unique) {
      const inputs = [await newInput(), await newInput(), await newInput()];
      const taken = pick(inputs[0] ?? {}, [field]);
      const created = inputs.map((input) => outcome(run(create, { ...input, ...taken })));
      expect((await Promise.all(created)).toSorted()).toEqual([code, code, 'done'].toSorted());
      if (isFixed) continue;
      const made = [await make(), await make(), await make()];
      const wanted = pick(await newInput(), [field]);
      const changed = made.map((one) => outcome(change(one, wanted)));
      expect((await Promise.all(changed)).toSorted()).toEqual([code, code, 'done'].toSorted());
    }
  });

  test('lists all invalid values in one error', async () => {
    const [wrong, names] = resource.wrong;
    const { code, details } = await rejection(
      t,
      create,
      { input: { ...(await newInput()), ...wrong } },
      { key: shop.key },
    );
    expect(code).toBe('validation_error');
    expect((details as { field: string }[]).map(({ field }) => field)).toEqual(names);
  });

  test.runIf(changes.length > 0)(
    'keeps the other values in an update, and keeps the row without changes',
    async () => {
      const made = await make();
      wall.set(noon);
      const [values = {}] = changes;
      const changed = {
        ...made.shown,
        ...values,
        ...('updatedAt' in made.shown ? { updatedAt: noon } : {}),
      };
      expect(await change(made, values)).toEqual(changed);
      const row = await rowOf(made);
      expect(row?.['updatedAt']).toMatch(/^2026-03-01T12:00:00/);
      wall.set(night);
      expect(await change(made, values)).toEqual(changed);
      expect(await rowOf(made)).toEqual(row);
    },
  );

  test.runIf(changes.length > 1)('keeps the changes of concurrent updates', async () => {
    const made = await make();
    await Promise.all(changes.map((values) => change(made, values)));
    expect(await t.graphql(node, { id: made.id }, { key: shop.key })).toMatchObject({
      node: Object.assign({}, ...changes),
    });
  });

  test.runIf(deletion !== null)("isn't found after its deletion", async () => {
    const [made, other] = [await make(), await make()];
    wall.set(noon);
    expect(await run(remove, made.referred)).toEqual({
      deletedId: made.id,
      deleted: true,
      object: resource.object,
      livemode: false,
    });
    const row = await rowOf(made);
    if (deletion === 'soft')
      expect(row).toMatchObject({
        deletedAt: expect.stringMatching(/^2026-03-01T12:00:00/),
        updatedAt: expect.stringMatching(/^2026-03-01T12:00:00/),
      });
    else expect(row).toBeUndefined();
    for (const [operation, variables] of requestsFor(made))
      expect(await rejection(t, operation, variables, { key: shop.key })).toMatchObject(missing);
    expect(await t.graphql(node, { id: made.id }, { key: shop.key })).toEqual({ node: null });
    if (list === null) return;
    expect(await listed()).toContain(other.id);
    expect(await listed()).not.toContain(made.id);
  });

  test("isn't found from another environment", async () => {
    const made = await make();
    const { key } = await otherShop(t);
    for (const [operation, variables] of requestsFor(made))
      expect(await rejection(t, operation, variables, { key })).toMatchObject(missing);
    expect(await t.graphql(node, { id: made.id }, { key })).toEqual({ node: null });
    if (list !== null) expect(await listed(key)).toEqual([]);
  });

  test.runIf(list !== null)('is listed from newest to oldest', async () => {
    const own = await otherShop(t);
    await resource.prepare?.(own);
    const ids = [(await make(own)).id, (await make(own)).id, (await make(own)).id];
    expect(await listed(own.key)).toEqual(ids.toReversed());
  });
});
