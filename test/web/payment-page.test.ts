import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { operationsIn } from '../support/page-scripts.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const text = async (path: string): Promise<string> => (await fetch(`${t.url}${path}`)).text();

test('the page of a payment link loads its own files, labels every input and has every element its script speaks of', async () => {
  const html = await text('/pay/some.page.token');
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(loaded).toEqual(['/assets/page.css', '/assets/pay.css', '/assets/pay.js']);
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  const script = (
    await Promise.all(
      ['pay', 'payment', 'page', 'authentication', 'stripe'].map((name) => text(`/assets/${name}.js`)),
    )
  ).join('\n');
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  const labelled = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
  const inputs = [...html.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id);
  expect(inputs).toEqual([
    'email',
    'number',
    'expiry',
    'cvc',
    'line1',
    'postalCode',
    'city',
    'country',
    'state',
    'taxDocument',
  ]);
  expect(inputs.filter((id) => !labelled.has(id) || !ids.has(`${id}-problem`))).toEqual([]);
  const spoken = [...script.matchAll(/(?:element|input|getElementById)\('([^']+)'\)/g)].map(([, id]) => id);
  expect(spoken.filter((id) => !ids.has(id ?? ''))).toEqual([]);
  expect(await text('/assets/pay.css')).toContain('checkout.css');
});

test("the page of a payment link may load Stripe's fields, so that no card number of theirs comes here, and asks only for what the API has", async () => {
  const policy = (await fetch(`${t.url}/pay/some.page.token`)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self' https://js.stripe.com;");
  expect(policy).toContain('frame-src https://js.stripe.com https://hooks.stripe.com;');
  const operations = operationsIn(
    `${await text('/assets/documents.js')}\n${await text('/assets/pay-documents.js')}`,
  );
  expect(operations).toHaveLength(3);
  for (const operation of operations) {
    // Without variables nothing runs; a field the schema lacks would be told instead of the missing variable.
    const { errors } = await t.graphqlFailure(operation, {}, { key: null });
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^(token|input): is required\.$/),
    ]);
  }
});
