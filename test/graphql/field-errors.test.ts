import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorsOf, generalErrors } from '../../src/graphql/declare/field-errors.ts';
import { everyFew } from '../support/every-few.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { provocations } from '../support/operations/index.ts';
import { routeName, routes, textOf, variablesFor } from '../support/queries.ts';
import { isSampled } from '../support/sample.ts';

// Provokes the errors listed in the contract on the GraphQL fields.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
beforeEach(
  everyFew(10, async () => {
    shop = await otherShop(t);
  }),
);
afterAll(() => t.close());

/** Errors that a single request provokes and that have an error code. */
const provoked = Object.entries(provocations)
  .filter(
    ([name, codes]) => isSampled(name) && Object.values(codes).some((make) => typeof make === 'function'),
  )
  .map(([name]) => name);

test.each(provoked)('%s returns the codes that the schema declares for its field', async (name) => {
  const route = routes.find((known) => routeName(known) === name);
  if (route === undefined) throw new Error('There is no such route.');
  const declared: ReadonlySet<string> = new Set([...errorsOf(route.field), ...generalErrors]);
  for (const [code, make] of Object.entries(provocations[name] ?? {})) {
    if (typeof make !== 'function') continue;
    const variables = variablesFor(route, await make(shop));
    const { errors } = await t.graphqlFailure(textOf(route), variables, { key: shop.key });
    const [met] = errors.map(({ extensions }) => String(extensions['code']));
    expect({ code: met, isDeclared: declared.has(met ?? '') }).toEqual({ code, isDeclared: true });
  }
});
