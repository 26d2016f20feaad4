import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailKinds } from '../../../../src/domain/messages/emails.ts';
import { languages, tagOf } from '../../../../src/domain/text/language.ts';
import { eventually } from '../../../support/eventually.ts';
import { createActiveSubscription, otherShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';

// Email previews: an example of each type, and the contents of sent emails.

let mail: MailServer;
let t: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' } });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

type Preview = { subject: string; text: string; html: string };

it.each(emailKinds)(
  'the email preview shows an example of the type %s in all languages, and sends nothing',
  async (kind) => {
    const shop = await otherShop(t, 'Quarry');
    const texts = await Promise.all(
      languages.map(async (language) => {
        const { emailPreview } = await t.graphql<{ emailPreview: Preview }>(
          'query ($kind: EmailKind!, $language: Language) { emailPreview(kind: $kind, language: $language) { subject text html } }',
          { kind, language },
          { key: shop.key },
        );
        expect(emailPreview.subject).toMatch(/^\[(Test|Prueba|Teste)\] .*Quarry/);
        expect(emailPreview.html).toContain(`<html lang="${tagOf(language)}">`);
        expect(emailPreview.text).toMatch(/https:\/\/bill\.test\/(checkout|manage|invoice)\/example/);
        return emailPreview.text;
      }),
    );
    expect(new Set(texts).size).toBe(languages.length);
  },
);

it("the email preview shows a sent email's contents, with the portal link disabled", async () => {
  const shop = await otherShop(t, 'Quarry');
  await createActiveSubscription(shop);
  type Listed = { kind: string; status: string; text: string | null; html: string | null };
  const list = async (): Promise<Listed[]> =>
    (
      await t.graphql<{ emails: { nodes: Listed[] } }>(
        '{ emails(first: 10) { nodes { kind status text html } } }',
        {},
        { key: shop.key },
      )
    ).emails.nodes;
  const emails = await eventually(list, (found) =>
    found.some(({ kind, status }) => kind === 'receipt' && status === 'sent'),
  );
  const receipt = emails.find(({ kind }) => kind === 'receipt');
  expect(receipt?.text).toContain('Amount: $49.00');
  expect(receipt?.text).toMatch(/View invoice:\nhttps:\/\/bill\.test\/invoice\/[\w.-]+\n/);
  expect(receipt?.text).toContain('https://bill.test/manage/example');
  expect(receipt?.html).toContain('<html lang="en">');
  // The payment request is obsolete, so its email no longer has any content.
  expect(emails.find(({ kind }) => kind === 'checkout')?.text).toBeNull();
});
