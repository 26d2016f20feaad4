import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

/** Recommendations that Quittance intentionally doesn't follow, with reasons. */
const decidedOtherwise: Readonly<Record<string, string>> = {
  '572B':
    'What is rejected before it runs has the status of its code, whatever the client accepts (PLT-71); here for parsing.',
  FDE2: 'The same, for validation.',
  '7B9B': 'The same, for variables.',
};

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const audits = serverAudits({ url: () => `${t.url}/graphql`, fetchFn: fetch });

test.each(audits.map((audit) => [`${audit.name} (${audit.id})`, audit] as const))(
  'the GraphQL-over-HTTP audit passes: %s',
  async (_name, audit) => {
    const { status } = await audit.fn();
    expect(status).toBe(audit.id in decidedOtherwise ? 'warn' : 'ok');
  },
);

test("audits with intentionally different results aren't marked as MUST", () => {
  const names = audits.filter(({ id }) => id in decidedOtherwise).map(({ name }) => name);
  expect(names).toHaveLength(Object.keys(decidedOtherwise).length);
  expect(names.filter((name) => name.startsWith('MUST'))).toEqual([]);
});
