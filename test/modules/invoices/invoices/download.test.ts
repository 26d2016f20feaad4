import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { downloadUrl } from '../../../../src/modules/invoices/invoices/sign-link.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createAdjustment,
  createSubscription,
  latestInvoice,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { textsOf } from '../../../support/pdf.ts';

const wall = new MovableClock('2026-11-01T10:00:00.789Z');
let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp({ wall });
});
afterAll(() => t.close());
beforeEach(async () => {
  wall.set('2026-11-01T10:00:00.789Z');
  shop = await otherShop(t);
});

type Link = { readonly url: string; readonly expiresAt: string };

const link = async (id: string): Promise<Link> =>
  (await shop.rest<Link>('POST', `/invoices/${id}/download-links`)).body;
const here = (url: string): string => `${t.url}${new URL(url).pathname}`;
const tokenOf = (url: string): string => url.split('/').at(-1) ?? '';

test('a download link has the documented fields, and is valid for 7 days of real time regardless of the test clock (BIL-29)', async () => {
  const { id } = await createAdjustment(shop);
  const { url, ...rest } = await link(id);
  expect(rest).toEqual({
    expiresAt: '2026-11-08T10:00:00.000Z',
    object: 'invoice_download_link',
    livemode: false,
  });
  expect(url.startsWith(`${t.app.config.publicUrl}/documents/invoices/`)).toBe(true);
  const statusAt = async (instant: string): Promise<number> => {
    wall.set(instant);
    return (await fetch(here(url))).status;
  };
  expect(await statusAt('2026-11-08T09:59:59.999Z')).toBe(200);
  expect(await statusAt('2026-11-08T10:00:00.000Z')).toBe(410);
  expect(await statusAt('2027-11-08T10:00:00.000Z')).toBe(410);
});

test("a download link works in the portal, and isn't issued for another environment's invoice", async () => {
  const { id } = await createAdjustment(shop);
  const ctx = await systemContext(t.app, shop.environmentId);
  expect((await fetch(here((await downloadUrl(ctx, id)).url))).status).toBe(200);
  const unknownRecord = await otherShop(t);
  await expect(
    downloadUrl(await systemContext(t.app, unknownRecord.environmentId), id),
  ).rejects.toMatchObject({
    code: 'invoice_not_found',
  });
});

test("an invoice file shows the invoice's current state, isn't cached publicly, and is named after the invoice number", async () => {
  const { id } = await createAdjustment(shop, { description: 'Ωmega' });
  const { url } = await link(id);
  const response = await fetch(here(url));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="INV-0001.pdf"',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  const texts = textsOf(Buffer.from(await response.arrayBuffer())).flat();
  expect(texts).toEqual(expect.arrayContaining(['Another organization', 'INV-0001', 'Ωmega', '$12.50']));
  expect(texts).not.toContain('VOID');
  await shop.rest('PATCH', `/invoices/${id}/status`, { status: 'void' });
  const later = await fetch(here(url));
  expect(textsOf(Buffer.from(await later.arrayBuffer())).flat()).toContain('VOID');
});

test('a HEAD request for a download link returns the same headers without the file', async () => {
  const { url } = await link((await createAdjustment(shop)).id);
  const head = await fetch(here(url), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), (await head.arrayBuffer()).byteLength]).toEqual([
    200,
    'application/pdf',
    0,
  ]);
  expect((await fetch(here(url), { method: 'POST' })).status).toBe(405);
});

describe('the download link validation', () => {
  test('returns an error page if the token is invalid, altered, or issued for another page', async () => {
    const { id, token } = await createSubscription(shop);
    const invoiceId = await latestInvoice(shop, id);
    const good = tokenOf((await link(invoiceId)).url);
    const details = { environmentId: shop.environmentId, subjectId: invoiceId };
    const soon = new Date('2026-11-05T00:00:00.000Z');
    const bad = [
      'none',
      `${good.slice(0, -4)}AAAA`,
      token ?? '',
      await t.app.secrets.signPage({ page: 'invoice_document', ...details }),
      await t.app.secrets.signLink({ page: 'checkout', ...details }, soon),
      await t.app.secrets.signLink({ page: 'invoice_document', ...details, subjectId: 'inv_none' }, soon),
    ];
    for (const wrong of bad) {
      const response = await fetch(`${t.url}/documents/invoices/${wrong}`);
      expect([wrong, response.status]).toEqual([wrong, 404]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('Document not found');
    }
  });

  test("rejects a download link's token at a checkout", async () => {
    const { id } = await createSubscription(shop);
    const token = await t.app.secrets.signLink(
      { page: 'checkout', environmentId: shop.environmentId, subjectId: id },
      new Date('2026-11-05T00:00:00.000Z'),
    );
    const { errors } = await t.graphqlFailure(
      'query ($token: String!) { checkout(token: $token) { status } }',
      { token },
      { key: null },
    );
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
  });
});
