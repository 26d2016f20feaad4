import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// The audits of the GraphQL-over-HTTP specification against a running server.

/** Recommendations that our rules decide otherwise. */
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
  '%s',
  async (_name, audit) => {
    const { status } = await audit.fn();
    expect(status).toBe(audit.id in decidedOtherwise ? 'warn' : 'ok');
  },
);

test('what our rules decide otherwise is no requirement', () => {
  const names = audits.filter(({ id }) => id in decidedOtherwise).map(({ name }) => name);
  expect(names).toHaveLength(Object.keys(decidedOtherwise).length);
  expect(names.filter((name) => name.startsWith('MUST'))).toEqual([]);
});
