import { describe, expect, test } from 'vitest';
import { type EmailKind, emailKinds } from '../../../src/domain/emails.ts';
import type { EmailAbout, EmailHead } from '../../../src/modules/emails/templates/content.ts';
import { emailTexts } from '../../../src/modules/emails/templates/index.ts';

const head = (language: 'en' | 'es', changes: Partial<EmailHead> = {}): EmailHead => ({
  to: 'ada@shop.test',
  customerName: 'Ada',
  sender: {
    name: 'Quarry',
    accentColor: '#0a7f5c',
    logoUrl: 'https://quarry.test/logo.png',
    logoWidth: null,
    logoHeight: null,
    replyTo: 'help@quarry.test',
    language,
  },
  livemode: true,
  ...changes,
});

const about: EmailAbout = {
  purpose: 'start',
  invoiceNumber: 'INV-0007',
  money: { amount: 123_450n, currency: 'usd' },
  planName: 'Pro',
  dueDate: new Date('2027-03-09T00:00:00Z'),
  on: new Date('2027-03-02T00:00:00Z'),
  next: {
    amount: 4_046n,
    currency: 'eur',
    on: new Date('2027-03-02T00:00:00Z'),
    interval: 'monthly',
    isFinal: true,
  },
  isEnding: false,
  retryAt: new Date('2027-03-03T00:00:00Z'),
  endsAt: new Date('2027-03-09T00:00:00Z'),
  manageUrl: 'https://bill.test/manage/abc',
  payUrl: 'https://bill.test/recover/abc',
  invoiceUrl: 'https://bill.test/invoice/abc',
};

// 123 450 cents are 1 234.50 US dollars; Spanish writes a comma, and its thousands only from five digits on.
test.each([
  [
    'checkout',
    'en',
    'Complete your subscription to Quarry',
    ['Plan: Pro', 'Invoice: INV-0007', 'Amount: $1,234.50'],
    'recover',
  ],
  [
    'receipt',
    'en',
    'Receipt from Quarry',
    ['Invoice: INV-0007', 'Amount: $1,234.50', 'Date: March 2, 2027'],
    'invoice',
  ],
  [
    'invoice',
    'en',
    'Invoice INV-0007 from Quarry',
    ['Invoice: INV-0007', 'Amount: $1,234.50', 'Due: March 9, 2027'],
    'recover',
  ],
  [
    'payment_failed',
    'en',
    'Your payment to Quarry failed',
    ['Plan: Pro', 'Invoice: INV-0007', 'Amount: $1,234.50'],
    'recover',
  ],
  [
    'trial_ending',
    'en',
    'Your trial of Quarry ends soon',
    ['Plan: Pro', 'Date: March 2, 2027', 'Amount: $1,234.50'],
    'manage',
  ],
  [
    'subscription_canceled',
    'en',
    'Your subscription to Quarry was canceled',
    ['Plan: Pro', 'Date: March 2, 2027'],
    'invoice',
  ],
  [
    'refund',
    'en',
    'Refund from Quarry',
    ['Invoice: INV-0007', 'Amount: $1,234.50', 'Date: March 2, 2027'],
    'invoice',
  ],
  [
    'checkout',
    'es',
    'Completa tu suscripción a Quarry',
    ['Plan: Pro', 'Factura: INV-0007', 'Importe: 1234,50 US$'],
    'recover',
  ],
  [
    'receipt',
    'es',
    'Recibo de Quarry',
    ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Fecha: 2 de marzo de 2027'],
    'invoice',
  ],
  [
    'invoice',
    'es',
    'Factura INV-0007 de Quarry',
    ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Vencimiento: 9 de marzo de 2027'],
    'recover',
  ],
  [
    'payment_failed',
    'es',
    'No se pudo cobrar tu pago a Quarry',
    ['Plan: Pro', 'Factura: INV-0007', 'Importe: 1234,50 US$'],
    'recover',
  ],
  [
    'trial_ending',
    'es',
    'Tu prueba de Quarry termina pronto',
    ['Plan: Pro', 'Fecha: 2 de marzo de 2027', 'Importe: 1234,50 US$'],
    'manage',
  ],
  [
    'subscription_canceled',
    'es',
    'Tu suscripción a Quarry fue cancelada',
    ['Plan: Pro', 'Fecha: 2 de marzo de 2027'],
    'invoice',
  ],
  [
    'refund',
    'es',
    'Reembolso de Quarry',
    ['Factura: INV-0007', 'Importe: 1234,50 US$', 'Fecha: 2 de marzo de 2027'],
    'invoice',
  ],
] as const)(
  'an email of kind %s in %s tells its facts in plain text and with layout',
  (kind, language, subject, details, page) => {
    const { subject: shown, text, html = '', replyTo } = emailTexts[kind](head(language), about);
    expect(shown).toBe(subject);
    expect(replyTo).toBe('help@quarry.test');
    const plain = text.replaceAll('\u00a0', ' ');
    expect(plain).toContain(`\n\n${details.join('\n')}\n\n`);
    expect(plain).toContain(`https://bill.test/${page}/`);
    expect(html).toContain(`lang="${language}"`);
    expect(html).toContain('#0a7f5c');
    expect(html).toContain('<img src="https://quarry.test/logo.png" alt=""');
    for (const fact of details)
      expect(html.replaceAll('\u00a0', ' ')).toContain(fact.slice(fact.indexOf(': ') + 2));
  },
);

test.each([
  [
    'checkout',
    'start',
    'en',
    'Complete your subscription to Quarry',
    'Your subscription to Quarry is ready.',
  ],
  ['checkout', 'trial', 'en', 'Start your trial of Quarry', 'which charges nothing.'],
  [
    'checkout',
    'plan_change',
    'en',
    'Complete your change of plan with Quarry',
    'until then you keep the present one.',
  ],
  ['checkout', 'start', 'es', 'Completa tu suscripción a Quarry', 'Tu suscripción a Quarry está lista.'],
  ['checkout', 'trial', 'es', 'Comienza tu prueba de Quarry', 'no se cobra nada.'],
  [
    'checkout',
    'plan_change',
    'es',
    'Completa tu cambio de plan con Quarry',
    'hasta entonces conservas el actual.',
  ],
  ['invoice', 'start', 'en', 'Invoice INV-0007 from Quarry', 'It has not been paid yet.'],
  [
    'invoice',
    'restart',
    'en',
    'Invoice INV-0007 from Quarry',
    'begins again as soon as this invoice is paid.',
  ],
  [
    'invoice',
    'restart',
    'es',
    'Factura INV-0007 de Quarry',
    'comenzará de nuevo en cuanto se pague esta factura.',
  ],
] as const)(
  'an email of kind %s whose payment leads to %s says so in %s',
  (kind, purpose, language, subject, words) => {
    const notification = emailTexts[kind](head(language), { ...about, purpose });
    expect(notification.subject).toBe(subject);
    expect(notification.text).toContain(words);
    expect(notification.html).toContain(words);
  },
);

describe.each(emailKinds)('an email of kind %s', (kind) => {
  test('writes an amount of a currency without decimals as it is', () => {
    const yen = emailTexts[kind](head('en'), { ...about, money: { amount: 1_200n, currency: 'jpy' } });
    expect(yen.text.includes('Amount: ¥1,200')).toBe(kind !== 'subscription_canceled');
    expect(yen.text).not.toContain('12.00');
  });

  test('lets no name be obeyed', () => {
    const hostile = '<script>alert("1")</script>\r\nBcc: all@shop.test';
    const sender = { ...head('en').sender, name: hostile };
    const notification = emailTexts[kind](head('en', { customerName: hostile, sender }), {
      ...about,
      planName: hostile,
    });
    expect(notification.html).not.toContain('<script');
    expect(notification.subject).not.toMatch(/[\r\n]/);
  });

  test('of the sandbox says so, and leaves out what is not known', () => {
    const nothing = {
      purpose: 'start' as const,
      invoiceNumber: null,
      money: null,
      planName: null,
      dueDate: null,
      next: null,
      isEnding: false,
      retryAt: null,
      endsAt: null,
      payUrl: null,
      manageUrl: null,
      invoiceUrl: null,
      on: about.on,
    };
    for (const [language, mark] of [['en', '[Test] '] as const, ['es', '[Prueba] '] as const]) {
      const sender = {
        name: 'Quarry',
        accentColor: null,
        logoUrl: null,
        logoWidth: null,
        logoHeight: null,
        replyTo: null,
        language,
      };
      const notification = emailTexts[kind](
        head(language, { livemode: false, customerName: '', sender }),
        nothing,
      );
      expect(notification.subject.startsWith(mark)).toBe(true);
      expect(notification).not.toHaveProperty('replyTo');
      expect(notification.text).not.toMatch(/null|undefined|https/);
      expect(notification.html).not.toMatch(/null|undefined|<img|<a /);
    }
  });
});

describe('an email that announces a charge names amount, date and where it is stopped', () => {
  const text = (kind: EmailKind, language: 'en' | 'es', changes: Partial<EmailAbout> = {}): string => {
    const { text: plain, html = '' } = emailTexts[kind](head(language), { ...about, ...changes });
    for (const [, url = ''] of plain.matchAll(/(https:\S+)/g)) expect(html).toContain(`href="${url}"`);
    return plain.replaceAll('\u00a0', ' ');
  };
  const next = { amount: 4_046n, currency: 'eur', on: about.on, interval: 'yearly', isFinal: false } as const;

  test('before a trial ends', () => {
    expect(text('trial_ending', 'en')).toContain(
      'Unless you cancel before then, €40.46, tax included, is charged on March 2, 2027. It then renews every month until you cancel.\n',
    );
    expect(text('trial_ending', 'en')).toContain(
      'Manage or cancel your subscription:\nhttps://bill.test/manage/abc\n',
    );
    expect(text('trial_ending', 'en')).toContain('The link works for thirty days.');
    expect(text('trial_ending', 'es')).toContain(
      'Si no la cancelas antes, se cobrarán 40,46 €, impuestos incluidos, el 2 de marzo de 2027. Después se renueva cada mes hasta que la canceles.\n',
    );
    expect(text('trial_ending', 'es')).toContain(
      'Gestionar o cancelar tu suscripción:\nhttps://bill.test/manage/abc\n',
    );
    expect(text('trial_ending', 'en', { next })).toContain(
      'every year until you cancel. Usage beyond what is included comes on top.',
    );
    expect(text('trial_ending', 'es', { next })).toContain(
      'cada año hasta que la canceles. El uso que supere lo incluido se cobra aparte.',
    );
    expect(text('trial_ending', 'en', { next: { ...next, interval: null, isFinal: true } })).toContain(
      'is charged on March 2, 2027.\n',
    );
  });

  test('after it was canceled it says that nothing is charged', () => {
    const canceled = { isEnding: true, next: null, money: null };
    expect(text('trial_ending', 'en', canceled)).toContain(
      'and your subscription with it. Nothing is charged.',
    );
    expect(text('trial_ending', 'es', canceled)).toContain('No se cobra nada.');
  });

  test('before a trial begins', () => {
    const trial = { purpose: 'trial' as const };
    expect(text('checkout', 'en', trial)).toContain(
      'which charges nothing. After the trial €40.46, tax included, is charged every month until you cancel.',
    );
    expect(text('checkout', 'es', trial)).toContain(
      'no se cobra nada. Después de la prueba se cobran 40,46 €, impuestos incluidos, cada mes hasta que la canceles.',
    );
    expect(text('checkout', 'en', { ...trial, next: null })).toContain('which charges nothing.\n');
  });

  test('when a charge is tried again', () => {
    expect(text('payment_failed', 'en')).toContain(
      'We try your card again on March 3, 2027. Unless it is paid, your subscription ends on March 9, 2027.\n',
    );
    expect(text('payment_failed', 'es')).toContain(
      'Volveremos a intentar el cobro el 3 de marzo de 2027. Si no se paga, tu suscripción termina el 9 de marzo de 2027.\n',
    );
    const english = text('payment_failed', 'en');
    expect(english.indexOf('Pay now:\nhttps://bill.test/recover/abc')).toBeLessThan(
      english.indexOf('Manage or cancel your subscription:\nhttps://bill.test/manage/abc'),
    );
    expect(text('payment_failed', 'en', { retryAt: null, endsAt: null })).not.toMatch(/again on|ends on/);
  });
});

test.each([
  // 40 pixels high, or 560 wide where that would be wider.
  [
    { logoWidth: 300, logoHeight: 80 },
    'width="150" height="40" style="display:block;width:150px;height:40px;border:0"',
  ],
  [
    { logoWidth: 2_800, logoHeight: 100 },
    'width="560" height="20" style="display:block;width:560px;height:20px;border:0"',
  ],
  [
    { logoWidth: 1, logoHeight: 10_000 },
    'width="1" height="40" style="display:block;width:1px;height:40px;border:0"',
  ],
  [
    { logoWidth: null, logoHeight: null },
    'height="40" style="display:block;height:40px;width:auto;border:0"',
  ],
])('the logo of an email is drawn as large as it fits: %j', (size, expected) => {
  const { sender } = head('en');
  const { html = '' } = emailTexts.receipt(head('en', { sender: { ...sender, ...size } }), about);
  expect(html).toContain(`<img src="https://quarry.test/logo.png" alt="" ${expected}>`);
});
