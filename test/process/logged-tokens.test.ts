import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { loggedPath } from '../../src/web/logged-path.ts';
import { callerOf, payCheckout } from '../support/caller.ts';
import { startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { childStorage } from '../support/storage.ts';

// Logs must not contain tokens that give access to a page.

const key = 'ck_sandbox_logging_0123456789abcdef';
const password = 'correct horse battery';
const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

test('the log contains no token, key, or password at any log level', { timeout: 120_000 }, async () => {
  const { env, remove } = await childStorage({
    BOOTSTRAP_API_KEY: key,
    WORKER_POLL_MS: '50',
    LOG_LEVEL: 'trace',
  });
  cleanups.push(remove);
  const child = await startChild(env);
  const { rest, graphql } = callerOf(child, key);
  const secrets: string[] = [key, password];
  const last = (address: unknown): string => {
    const token = String(address).split('/').at(-1) ?? '';
    expect(token.length).toBeGreaterThan(20);
    secrets.push(token);
    return token;
  };

  const { id } = await rest('POST', '/plans', { name: 'Pro', code: 'pro' });
  await rest('POST', `/plans/${String(id)}/prices`, { billingInterval: 'monthly', price: 1_900 });
  await rest('POST', '/customers', { email: 'ada@shop.test', externalId: 'ada' });
  const { checkoutUrl } = await rest('POST', '/subscriptions', { customerId: 'ada', planCode: 'pro' });
  const { portalUrl } = await rest('POST', '/portal/sessions', { customerId: 'ada' });
  const payment = await rest('POST', '/payments', { description: 'Setup', amount: 500, currency: 'usd' });
  const provisioned = await callerOf(child, null).rest('POST', '/provision', {
    name: 'Acme',
    country: 'US',
    businessType: 'company',
  });
  secrets.push(String(provisioned['sandboxApiKey']), String(provisioned['liveApiKey']));
  await payCheckout(child, checkoutUrl, { number: '4242424242424242' });
  const { invoices } = await graphql<{ invoices: { edges: { node: { id: string } }[] } }>(
    '{ invoices(first: 1) { edges { node { id } } } }',
  );
  const { url: downloadUrl } = await rest('POST', `/invoices/${invoices.edges[0]?.node.id}/download-links`);

  const tokens = [checkoutUrl, portalUrl, payment['url'], provisioned['claimUrl'], downloadUrl].map(last);
  const addresses = [checkoutUrl, portalUrl, payment['url'], provisioned['claimUrl'], downloadUrl].map(
    String,
  );
  const [token = ''] = tokens;
  for (const page of ['checkout', 'claim', 'invitation', 'method', 'pay', 'portal', 'recover'])
    for (const odd of [
      `/${page}/${token}`,
      `/${page}/${token}/`,
      `/${page}//${token}`,
      `//${page}/${token}`,
      `/${page.toUpperCase()}/${token}`,
    ])
      addresses.push(`${child.url}${odd}`, `${child.url}${odd}?token=${token}`);
  addresses.push(
    `${child.url}/%70ortal/${token}`,
    `${child.url}/documents/${token}`,
    `${child.url}/healthz?token=${token}`,
  );
  addresses.push(`${child.url}/api/v1/customers?token=${token}`);
  for (const address of addresses) await (await fetch(address)).text();
  await (
    await fetch(`${child.url}/webhooks/stripe/${token}/${token}`, { method: 'POST', body: '{}' })
  ).text();
  const graphqlHeaders = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const portal = {
    query: 'query ($token: String!) { portal(token: $token) { nothing } }',
    variables: { token },
  };
  await (
    await fetch(`${child.url}/graphql`, {
      method: 'POST',
      headers: graphqlHeaders,
      body: JSON.stringify(portal),
    })
  ).text();
  for (const path of ['/sign-up/email', '/sign-in/email', '/sign-in/email']) {
    const headers = { 'content-type': 'application/json', origin: child.url };
    const body = JSON.stringify({ name: 'Ada', email: 'ada@people.test', password });
    const answer = await fetch(`${child.url}/auth${path}`, { method: 'POST', headers, body });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) secrets.push(cookie.split(/[=;.]/)[2] ?? cookie);
    await answer.text();
  }

  // Requests a unique path, which marks the end of the log.
  const end = `/docs/${randomUUID()}`;
  await (await fetch(`${child.url}${end}`)).text();
  await eventually(() => child.output().includes(end));
  const log = child
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(log.filter((line) => line.includes('"msg":"answered"')).length).toBeGreaterThan(addresses.length);
  expect(log.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  expect(await child.stop()).toBe(0);
});

test('the log contains route patterns instead of request paths, except for paths without tokens', () => {
  expect(loggedPath('/portal/abc')).toBe('/portal/:token');
  expect(loggedPath('/documents/invoices/abc?x=1')).toBe('/documents/invoices/:token');
  expect(loggedPath('/webhooks/stripe/env_1/pcn_1')).toBe('/webhooks/stripe/:environmentId/:connectionId');
  for (const odd of ['//portal/abc', '/Portal/abc', '/%70ortal/abc', '/portal', '/x'])
    expect(loggedPath(odd)).toBe('/:other');
  for (const open of [
    '/',
    '/graphql',
    '/docs',
    '/docs/api-reference',
    '/api/v1/customers/cus_1',
    '/auth/sign-in/email',
    '/healthz',
  ])
    expect(loggedPath(open)).toBe(open);
  expect(loggedPath('/api/v1/customers?email=ada@shop.test')).toBe('/api/v1/customers');
});
