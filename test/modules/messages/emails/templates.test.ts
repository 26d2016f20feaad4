import { describe, expect, test } from 'vitest';
import { type EmailKind, emailKinds } from '../../../../src/domain/messages/emails.ts';
import type { Language } from '../../../../src/domain/text/language.ts';
import type { EmailAbout, EmailHead } from '../../../../src/modules/messages/emails/templates/content.ts';
import { emailTexts } from '../../../../src/modules/messages/emails/templates/index.ts';

const head = (language: Language, changes: Partial<EmailHead> = {}): EmailHead => ({
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
  creditNoteNumber: 'CN-0003',
  money: { amount: 123_450n, currency: 'usd' },
  units: null,
  limit: {
    name: 'Spend cap',
    event: 'reached',
    value: '$25.00',
    amount: '$25.00',
    budget: 'team:eu',
    resetsAt: new Date('2027-03-09T00:00:00Z'),
    timeZone: 'UTC',
  },
  debit: { last4: '3000', mandate: 'MDT-1' },
  reason: null,
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

// 123,450 cents are 1,234.50 US dollars. Spanish uses a decimal comma, and separates thousands only if there are five digits or more.
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
    ['Invoice: INV-0007', 'Amount: $1,234.50', 'Due date: March 9, 2027'],
    'recover',
  ],
  [
    'payment_failed',
    'en',
    "Your Quarry payment didn't go through",
    ['Plan: Pro', 'Invoice: INV-0007', 'Amount: $1,234.50'],
    'recover',
  ],
  [
    'trial_ending',
    'en',
    'Your Quarry free trial ends soon',
    ['Plan: Pro', 'Date: March 2, 2027', 'Amount: $1,234.50'],
    'manage',
  ],
  [
    'subscription_canceled',
    'en',
    'Your Quarry subscription was canceled',
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
    'credit_note',
    'en',
    'Credit note CN-0003 from Quarry',
    ['Credit note: CN-0003', 'Invoice: INV-0007', 'Amount: $1,234.50', 'Date: March 2, 2027'],
    'recover',
  ],
  [
    'credit_note',
    'es',
    'Nota de crédito CN-0003 de Quarry',
    ['Nota de crédito: CN-0003', 'Factura: INV-0007', 'Importe: 1234,50 US$', 'Fecha: 2 de marzo de 2027'],
    'recover',
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
    'No se ha podido cobrar tu pago a Quarry',
    ['Plan: Pro', 'Factura: INV-0007', 'Importe: 1234,50 US$'],
    'recover',
  ],
  [
    'trial_ending',
    'es',
    'Tu prueba gratuita de Quarry termina pronto',
    ['Plan: Pro', 'Fecha: 2 de marzo de 2027', 'Importe: 1234,50 US$'],
    'manage',
  ],
  [
    'subscription_canceled',
    'es',
    'Tu suscripción a Quarry se ha cancelado',
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
  [
    'debit_notice',
    'en',
    'Upcoming debit by Quarry on March 2, 2027',
    [
      'Amount: $1,234.50',
      'Date: March 2, 2027',
      'Invoice: INV-0007',
      'Bank account: •••• 3000',
      'Mandate reference: MDT-1',
    ],
    'manage',
  ],
  [
    'mandate_accepted',
    'es',
    'Tu mandato de adeudo directo para Quarry',
    ['Cuenta bancaria: •••• 3000', 'Referencia del mandato: MDT-1', 'Fecha: 2 de marzo de 2027'],
    'manage',
  ],
  [
    'method_needed',
    'en',
    'Add a payment method for Quarry',
    ['Plan: Pro', 'Bank account: •••• 3000', 'Mandate reference: MDT-1'],
    'manage',
  ],
] as const)(
  'the email template renders the type %s in %s as plain text and as HTML',
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
  ['checkout', 'start', 'en', 'Complete your subscription to Quarry', 'Your Quarry subscription is ready.'],
  ['checkout', 'trial', 'en', 'Start your Quarry free trial', 'It starts when you complete the checkout.'],
  [
    'checkout',
    'plan_change',
    'en',
    'Complete your Quarry plan change',
    'Until then, you keep your current plan.',
  ],
  ['checkout', 'start', 'es', 'Completa tu suscripción a Quarry', 'Tu suscripción a Quarry está lista.'],
  ['checkout', 'trial', 'es', 'Comienza tu prueba gratuita de Quarry', 'Hoy no se te cobra nada.'],
  [
    'checkout',
    'plan_change',
    'es',
    'Completa tu cambio de plan de Quarry',
    'Hasta entonces conservas el plan actual.',
  ],
  ['invoice', 'start', 'en', 'Invoice INV-0007 from Quarry', 'You have a new invoice from Quarry.'],
  ['invoice', 'restart', 'en', 'Invoice INV-0007 from Quarry', 'is reactivated when you pay this invoice.'],
  ['invoice', 'restart', 'es', 'Factura INV-0007 de Quarry', 'se reactiva cuando pagues esta factura.'],
] as const)(
  'the email template renders the type %s for the purpose %s in %s',
  (kind, purpose, language, subject, words) => {
    const notification = emailTexts[kind](head(language), { ...about, purpose });
    expect(notification.subject).toBe(subject);
    expect(notification.text).toContain(words);
    expect(notification.html).toContain(words);
  },
);

describe.each(emailKinds)('an email template of the type %s', (kind) => {
  const withoutAmount = new Set<EmailKind>([
    'subscription_canceled',
    'lot_expiring',
    'commitment_ended',
    'top_up_paused',
    'mandate_accepted',
    'method_needed',
    'usage_limit',
  ]);
  test('formats an amount in a currency without decimals', () => {
    const yen = emailTexts[kind](head('en'), { ...about, money: { amount: 1_200n, currency: 'jpy' } });
    expect(yen.text.includes('Amount: ¥1,200')).toBe(!withoutAmount.has(kind));
    expect(yen.text).not.toContain('12.00');
  });

  test('escapes names', () => {
    const hostile = '<script>alert("1")</script>\r\nBcc: all@shop.test';
    const sender = { ...head('en').sender, name: hostile };
    const notification = emailTexts[kind](head('en', { customerName: hostile, sender }), {
      ...about,
      planName: hostile,
    });
    expect(notification.html).not.toContain('<script');
    expect(notification.subject).not.toMatch(/[\r\n]/);
  });

  test('shows a test label in the sandbox, and omits missing values', () => {
    const nothing = {
      purpose: 'start' as const,
      invoiceNumber: null,
      creditNoteNumber: null,
      money: null,
      planName: null,
      dueDate: null,
      next: null,
      units: null,
      limit: null,
      debit: null,
      reason: null,
      isEnding: false,
      retryAt: null,
      endsAt: null,
      payUrl: null,
      manageUrl: null,
      invoiceUrl: null,
      on: about.on,
    };
    for (const [language, mark] of [
      ['en', '[Test] '] as const,
      ['es', '[Prueba] '] as const,
      ['pt_BR', '[Teste] '] as const,
    ]) {
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

describe('the email templates for prepaid amounts', () => {
  const text = (kind: EmailKind, language: Language, changes: Partial<EmailAbout>): string =>
    emailTexts[kind](head(language), { ...about, ...changes }).text.replaceAll('\u00a0', ' ');

  test.each([
    ['en', null, 'Part of your prepaid Quarry balance expires on March 2, 2027: $1,234.50.'],
    ['es', null, 'El 2 de marzo de 2027 caduca una parte de tu saldo prepagado de Quarry: 1234,50 US$.'],
    ['pt_BR', null, 'Parte do seu saldo pré-pago em Quarry expira em 2 de março de 2027: US$ 1.234,50.'],
    [
      'en',
      { amount: 1n, name: null },
      'Part of your prepaid Quarry balance expires on March 2, 2027: 1 credit.',
    ],
    [
      'en',
      { amount: 1_250n, name: 'GPU seconds' },
      'Part of your prepaid Quarry balance expires on March 2, 2027: 1,250 GPU seconds.',
    ],
  ] as const)('state the amount that expires in the language %s (%o)', (language, units, sentence) => {
    const money = units === null ? about.money : null;
    expect(text('lot_expiring', language, { units, money })).toContain(sentence);
  });

  test.each([
    ['expired', 'Your prepaid commitment with Quarry ended on March 2, 2027.'],
    [
      'payment_failed',
      "Your prepaid commitment with Quarry ended on March 2, 2027, because we couldn't charge the payment for the next term.",
    ],
    [
      'subscription_canceled',
      "Your prepaid commitment with Quarry ended on March 2, 2027. It wasn't renewed, because your subscription was canceled.",
    ],
  ])('state why a commitment ended (%s)', (reason, sentence) => {
    expect(text('commitment_ended', 'en', { reason })).toContain(`${sentence}\n`);
  });

  test.each([
    [
      'declined',
      'We paused the automatic top-up of your Quarry balance, because the payment was declined. To resume it, update your payment method.',
    ],
    [
      'action_required',
      'We paused the automatic top-up of your Quarry balance, because your bank requires a confirmation. To resume it, update your payment method.',
    ],
    [
      'not_sellable',
      "We paused the automatic top-up of your Quarry balance, because the refill isn't available right now. We'll check again tomorrow.",
    ],
  ])('state why an automatic top-up was paused (%s)', (reason, sentence) => {
    expect(text('top_up_paused', 'en', { reason })).toContain(`${sentence}\n`);
  });
});

describe('the email template for an upcoming charge', () => {
  const text = (kind: EmailKind, language: 'en' | 'es', changes: Partial<EmailAbout> = {}): string => {
    const { text: plain, html = '' } = emailTexts[kind](head(language), { ...about, ...changes });
    for (const [, url = ''] of plain.matchAll(/(https:\S+)/g)) expect(html).toContain(`href="${url}"`);
    return plain.replaceAll('\u00a0', ' ');
  };
  const next = { amount: 4_046n, currency: 'eur', on: about.on, interval: 'yearly', isFinal: false } as const;

  test('renders the notice before the end of a trial', () => {
    expect(text('trial_ending', 'en')).toContain(
      "You'll be charged €40.46, tax included, on March 2, 2027 unless you cancel before then. Your subscription renews every month until you cancel.\n",
    );
    expect(text('trial_ending', 'en')).toContain(
      'Manage or cancel your subscription:\nhttps://bill.test/manage/abc\n',
    );
    expect(text('trial_ending', 'en')).toContain(
      'On the page that opens, you can request a sign-in link to the portal.',
    );
    expect(text('trial_ending', 'es')).toContain(
      'Se te cobrarán 40,46 €, impuestos incluidos, el 2 de marzo de 2027, si no cancelas antes. Tu suscripción se renueva cada mes hasta que canceles.\n',
    );
    expect(text('trial_ending', 'es')).toContain(
      'Gestionar o cancelar tu suscripción:\nhttps://bill.test/manage/abc\n',
    );
    expect(text('trial_ending', 'en', { next })).toContain(
      "every year until you cancel. You'll also be charged for usage above the included amount.",
    );
    expect(text('trial_ending', 'es', { next })).toContain(
      'cada año hasta que canceles. También se te cobrará el uso que supere lo incluido.',
    );
    expect(text('trial_ending', 'en', { next: { ...next, interval: null, isFinal: true } })).toContain(
      'on March 2, 2027 unless you cancel before then.\n',
    );
  });

  test('states that nothing is charged after a cancellation', () => {
    const canceled = { isEnding: true, next: null, money: null };
    expect(text('trial_ending', 'en', canceled)).toContain(
      "Your subscription ends with the trial. You won't be charged.",
    );
    expect(text('trial_ending', 'es', canceled)).toContain('No se te cobrará nada.');
  });

  test('renders the notice before the start of a trial', () => {
    const trial = { purpose: 'trial' as const };
    expect(text('checkout', 'en', trial)).toContain(
      "You won't be charged today. After the trial, you'll be charged €40.46, tax included, every month until you cancel.",
    );
    expect(text('checkout', 'es', trial)).toContain(
      'Hoy no se te cobra nada. Después de la prueba se te cobrarán 40,46 €, impuestos incluidos, cada mes hasta que canceles.',
    );
    expect(text('checkout', 'en', { ...trial, next: null })).toContain("You won't be charged today.\n");
  });

  test('renders the notice before a payment retry', () => {
    expect(text('payment_failed', 'en')).toContain(
      "We'll try to charge your card again on March 3, 2027. To keep your subscription, pay before March 9, 2027.\n",
    );
    expect(text('payment_failed', 'es')).toContain(
      'Intentaremos de nuevo el cobro en tu tarjeta el 3 de marzo de 2027. Para conservar tu suscripción, paga antes del 9 de marzo de 2027.\n',
    );
    const english = text('payment_failed', 'en');
    expect(english.indexOf('Pay now:\nhttps://bill.test/recover/abc')).toBeLessThan(
      english.indexOf('Manage or cancel your subscription:\nhttps://bill.test/manage/abc'),
    );
    expect(text('payment_failed', 'en', { retryAt: null, endsAt: null })).not.toMatch(/again on|pay by/);
  });
});

test.each([
  // The maximum is 40 pixels high and 560 pixels wide.
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
])('the email template scales a logo to the maximum size: %j', (size, expected) => {
  const { sender } = head('en');
  const { html = '' } = emailTexts.receipt(head('en', { sender: { ...sender, ...size } }), about);
  expect(html).toContain(`<img src="https://quarry.test/logo.png" alt="" ${expected}>`);
});
