import { describe, expect, test } from 'vitest';
import { letterKinds } from '../../src/domain/letters.ts';
import type { LetterAbout, LetterHead } from '../../src/mail/about.ts';
import { letterTexts } from '../../src/mail/letters.ts';

const head = (language: 'en' | 'es', changes: Partial<LetterHead> = {}): LetterHead => ({
  to: 'ada@shop.test',
  customerName: 'Ada',
  sender: { name: 'Quarry', accentColor: '#0a7f5c', logoUrl: 'https://quarry.test/logo.png', replyTo: 'help@quarry.test', language },
  livemode: true,
  ...changes,
});

const about: LetterAbout = {
  purpose: 'start',
  invoiceNumber: 'INV-0007',
  money: { amount: 123_450n, currency: 'usd' },
  planName: 'Pro',
  dueDate: new Date('2027-03-09T00:00:00Z'),
  on: new Date('2027-03-02T00:00:00Z'),
  payUrl: 'https://bill.test/recover/abc',
  documentUrl: 'https://bill.test/documents/invoices/abc',
};

// 123 450 cents are 1 234.50 US dollars; Spanish writes a comma, and its thousands only from five digits on.
test.each([
  ['checkout', 'en', 'Complete your subscription to Quarry', ['Plan: Pro', 'Invoice: INV-0007', 'Amount: $1,234.50'], 'recover'],
  ['receipt', 'en', 'Receipt from Quarry', ['Invoice: INV-0007', 'Amount: $1,234.50', 'Date: March 2, 2027'], 'documents'],
  ['invoice', 'en', 'Invoice INV-0007 from Quarry', ['Invoice: INV-0007', 'Amount: $1,234.50', 'Due: March 9, 2027'], 'recover'],
  ['payment_failed', 'en', 'Your payment to Quarry failed', ['Plan: Pro', 'Invoice: INV-0007', 'Amount: $1,234.50'], 'recover'],
  ['trial_ending', 'en', 'Your trial of Quarry ends soon', ['Plan: Pro', 'Date: March 2, 2027'], 'documents'],
  ['subscription_canceled', 'en', 'Your subscription to Quarry was canceled', ['Plan: Pro', 'Date: March 2, 2027'], 'documents'],
  ['refund', 'en', 'Refund from Quarry', ['Invoice: INV-0007', 'Amount: $1,234.50', 'Date: March 2, 2027'], 'documents'],
  ['checkout', 'es', 'Complete su suscripción a Quarry', ['Plan: Pro', 'Factura: INV-0007', 'Importe: 1234,50 US$'], 'recover'],
  ['receipt', 'es', 'Recibo de Quarry', ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Fecha: 2 de marzo de 2027'], 'documents'],
  [
    'invoice',
    'es',
    'Factura INV-0007 de Quarry',
    ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Vencimiento: 9 de marzo de 2027'],
    'recover',
  ],
  ['payment_failed', 'es', 'No se pudo cobrar su pago a Quarry', ['Plan: Pro', 'Factura: INV-0007', 'Importe: 1234,50 US$'], 'recover'],
  ['trial_ending', 'es', 'Su prueba de Quarry termina pronto', ['Plan: Pro', 'Fecha: 2 de marzo de 2027'], 'documents'],
  ['subscription_canceled', 'es', 'Su suscripción a Quarry fue cancelada', ['Plan: Pro', 'Fecha: 2 de marzo de 2027'], 'documents'],
  ['refund', 'es', 'Reembolso de Quarry', ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Fecha: 2 de marzo de 2027'], 'documents'],
] as const)('a letter of kind %s in %s tells its facts in plain text and with layout', (kind, language, subject, facts, page) => {
  const { subject: shown, text, html = '', replyTo } = letterTexts[kind](head(language), about);
  expect(shown).toBe(subject);
  expect(replyTo).toBe('help@quarry.test');
  const plain = text.replaceAll('\u00a0', ' ');
  expect(plain).toContain(`\n\n${facts.join('\n')}\n\n`);
  expect(plain).toContain(`https://bill.test/${page}/`);
  expect(html).toContain(`lang="${language}"`);
  expect(html).toContain('#0a7f5c');
  expect(html).toContain('<img src="https://quarry.test/logo.png" alt=""');
  for (const fact of facts) expect(html.replaceAll('\u00a0', ' ')).toContain(fact.slice(fact.indexOf(': ') + 2));
});

test.each([
  ['checkout', 'start', 'en', 'Complete your subscription to Quarry', 'Your subscription to Quarry is ready.'],
  ['checkout', 'trial', 'en', 'Start your trial of Quarry', 'which charges nothing.'],
  ['checkout', 'plan_change', 'en', 'Complete your change of plan with Quarry', 'until then you keep the present one.'],
  ['checkout', 'start', 'es', 'Complete su suscripción a Quarry', 'Su suscripción a Quarry está lista.'],
  ['checkout', 'trial', 'es', 'Comience su prueba de Quarry', 'no se cobra nada.'],
  ['checkout', 'plan_change', 'es', 'Complete su cambio de plan con Quarry', 'hasta entonces conserva el actual.'],
  ['invoice', 'start', 'en', 'Invoice INV-0007 from Quarry', 'It has not been paid yet.'],
  ['invoice', 'restart', 'en', 'Invoice INV-0007 from Quarry', 'begins again as soon as this invoice is paid.'],
  ['invoice', 'restart', 'es', 'Factura INV-0007 de Quarry', 'comenzará de nuevo en cuanto se pague esta factura.'],
] as const)('a letter of kind %s whose payment leads to %s says so in %s', (kind, purpose, language, subject, words) => {
  const letter = letterTexts[kind](head(language), { ...about, purpose });
  expect(letter.subject).toBe(subject);
  expect(letter.text).toContain(words);
  expect(letter.html).toContain(words);
});

describe.each(letterKinds)('a letter of kind %s', (kind) => {
  test('writes an amount of a currency without decimals as it is', () => {
    const yen = letterTexts[kind](head('en'), { ...about, money: { amount: 1_200n, currency: 'jpy' } });
    expect(yen.text.includes('Amount: ¥1,200')).toBe(!['trial_ending', 'subscription_canceled'].includes(kind));
    expect(yen.text).not.toContain('12.00');
  });

  test('lets no name be obeyed', () => {
    const hostile = '<script>alert("1")</script>\r\nBcc: all@shop.test';
    const sender = { ...head('en').sender, name: hostile };
    const letter = letterTexts[kind](head('en', { customerName: hostile, sender }), { ...about, planName: hostile });
    expect(letter.html).not.toContain('<script');
    expect(letter.subject).not.toMatch(/[\r\n]/);
  });

  test('of the sandbox says so, and leaves out what is not known', () => {
    const nothing = {
      purpose: 'start' as const,
      invoiceNumber: null,
      money: null,
      planName: null,
      dueDate: null,
      payUrl: null,
      documentUrl: null,
      on: about.on,
    };
    for (const [language, mark] of [['en', '[Test] '] as const, ['es', '[Prueba] '] as const]) {
      const sender = { name: 'Quarry', accentColor: null, logoUrl: null, replyTo: null, language };
      const letter = letterTexts[kind](head(language, { livemode: false, customerName: '', sender }), nothing);
      expect(letter.subject.startsWith(mark)).toBe(true);
      expect(letter).not.toHaveProperty('replyTo');
      expect(letter.text).not.toMatch(/null|undefined|https/);
      expect(letter.html).not.toMatch(/null|undefined|<img|<a /);
    }
  });
});
