import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/domain/subscription/commands/index.ts';
import { type Command, needsOf } from '../../../src/domain/subscription/decision/command.ts';
import { type Needs, noNeeds } from '../../../src/domain/subscription/state/command.ts';
import { at, card } from './world.ts';

type Kind = Command['kind'];
type Sample<C> = C extends Command ? Omit<C, 'kind' | 'dueAt' | 'now'> : never;

const sub = { subscriptionId: 'sub_1' };
const due = { deadlineId: 'deadline', ...sub };
const charged = { transactionId: 'txn_1' };
const paying = { ...sub, method: card, abandoned: null };
const term = { duration: 'until_revoked', durationCycles: null, requestedExpiresAt: null } as const;
const cause = { reason: 'Asked for.', source: 'api' } as const;
const terms = { paymentId: 'pay_1', subtotalMinor: 100n, currency: 'usd', description: 'Work', metadata: {} };
const receipt = {
  source: 'manual',
  instrument: 'bank_transfer',
  currency: 'eur',
  amountMinor: 100n,
  reference: null,
  payerName: null,
  bankReference: 'bank-1',
  receivedAt: at('2026-01-01'),
} as const;
const ofSubscription = { subscriptions: ['sub_1'] };
const ofTransaction = { transactions: ['txn_1'] };
const ofPayment = { payments: ['pay_1'] };

/** Input for each command, and the data that the command loads in addition to the customer's open state. */
const samples: {
  readonly [kind in Kind]: readonly [Sample<Extract<Command, { kind: kind }>>, Partial<Needs>];
} = {
  'subscription.create': [
    { selection: { planId: 'plan_1', initialSeats: { editors: 2 }, promoCode: 'WELCOME' } },
    {
      plans: ['plan_1'],
      planCodes: [],
      prices: [],
      featureCodes: ['editors'],
      countries: [null],
      offers: [{ promoCode: 'WELCOME' }],
    },
  ],
  'subscription.cancel': [{ ...sub, reason: null, immediate: false }, ofSubscription],
  'subscription.uncancel': [sub, ofSubscription],
  'subscription.change_plan': [
    {
      ...sub,
      request: { newPlanId: 'plan_2', newBillingInterval: null, offerId: 'off_1', isPortal: false },
      successUrl: null,
    },
    { ...ofSubscription, plans: ['plan_2'], countries: [null], offers: [{ offerId: 'off_1' }] },
  ],
  'corrections.end': [sub, ofSubscription],
  'subscription.revoke_change': [sub, ofSubscription],
  'subscription.retry': [sub, ofSubscription],
  'subscription.reactivate': [
    { ...sub, offerId: 'off_1' },
    { ...ofSubscription, offers: [{ offerId: 'off_1' }] },
  ],
  'recovery.pay': [{ ...paying, invoiceId: 'inv_1' }, ofSubscription],
  'method.update': [paying, ofSubscription],
  'method.choose': [{ ...sub, paymentMethodId: 'pm_1' }, ofSubscription],
  'method.remove': [{ paymentMethodId: 'pm_1', subscriptionIds: ['sub_1'], by: 'merchant' }, ofSubscription],
  'mandate.revoke': [{ mandateId: 'mdt_1', subscriptionIds: ['sub_1'], by: 'customer' }, ofSubscription],
  'method.authenticate': [{ ...sub, succeed: true }, ofSubscription],
  'offer.apply': [
    { ...sub, offerId: 'off_1', expiresAt: null },
    { ...ofSubscription, offers: [{ offerId: 'off_1' }] },
  ],
  'offer.remove': [sub, ofSubscription],
  'checkout.pay': [
    { ...paying, promoCode: 'welcome' },
    { ...ofSubscription, countries: [null, null], offers: [{ promoCode: 'welcome' }], cards: ['42424242'] },
  ],
  'checkout.authenticate': [
    { ...sub, succeed: true },
    { ...ofSubscription, cardsAwaitedBy: ['sub_1'] },
  ],
  'checkout.update': [
    {
      ...sub,
      billingInterval: 'yearly',
      seats: { editors: 2 },
      locale: null,
      quoted: { promoCode: 'WELCOME' },
    },
    {
      ...ofSubscription,
      featureCodes: ['editors'],
      offers: [{ promoCode: 'WELCOME' }],
      offersSelectedBy: ['sub_1'],
    },
  ],
  quote_expiry: [due, ofSubscription],
  checkout_expiry: [due, ofSubscription],
  'balance.adjust': [{ ...sub, pool: null, amount: 5n, reason: null }, ofSubscription],
  'balance.topup': [{ ...sub, amountMinor: 500n }, ofSubscription],
  'credits.purchase': [
    { ...sub, creditPackId: 'cpk_1' },
    { ...ofSubscription, creditPacks: ['cpk_1'] },
  ],
  'addon.activate': [
    { ...sub, addonId: 'support' },
    { ...ofSubscription, addons: ['support'] },
  ],
  'addon.deactivate': [
    { ...sub, addonId: 'support' },
    { ...ofSubscription, addons: ['support'] },
  ],
  'grant.create': [
    { ...sub, ...term, ...cause, grantId: 'grn_1', planId: 'plan_2' },
    { ...ofSubscription, plans: ['plan_2'], grantedPlans: ['plan_2'] },
  ],
  'grant.update': [{ ...term, ...cause, grantId: 'grn_1' }, {}],
  'grant.revoke': [{ ...cause, grantId: 'grn_1' }, {}],
  'recurring.open': [{}, {}],
  'customer.delete': [
    { subscriptionIds: ['sub_1'], links: [{ paymentId: 'pay_1', abandoned: null }] },
    { ...ofSubscription, ...ofPayment },
  ],
  grant_expiry: [due, ofSubscription],
  'lot.grant': [
    {
      ...sub,
      lotId: 'lot_1',
      asset: 'credits',
      amount: 5n,
      priority: null,
      expiresAt: null,
      features: [],
      description: null,
    },
    ofSubscription,
  ],
  'lot.revoke': [{ ...sub, lotId: 'lot_1' }, ofSubscription],
  'commitment.purchase': [
    {
      ...sub,
      priceMinor: 1_000n,
      amount: 110_000n,
      asset: null,
      appliesTo: null,
      validMonths: 12,
      atEnd: 'expire',
      autoRenew: false,
      description: null,
    },
    ofSubscription,
  ],
  'commitment.update': [{ ...sub, lotId: 'lot_1', autoRenew: true, atEnd: null }, ofSubscription],
  'auto_topup.set': [
    {
      ...sub,
      asset: null,
      status: 'on',
      threshold: 0n,
      refill: { creditPackId: 'cpk_1', quantity: 1 },
      maxPerMonth: 5,
      maxAmountPerMonth: 10_000n,
      minPause: 1,
      consent: null,
    },
    { ...ofSubscription, topUps: ['sub_1'], creditPacks: ['cpk_1'] },
  ],
  'auto_topup.resume': [
    { ...sub, autoTopUpId: 'atu_1' },
    { ...ofSubscription, topUps: ['sub_1'] },
  ],
  'auto_topup.remove': [
    { ...sub, autoTopUpId: 'atu_1' },
    { ...ofSubscription, topUps: ['sub_1'] },
  ],
  auto_topup: [due, ofSubscription],
  'lot.set_expiry': [{ ...sub, lotId: 'lot_1', expiresAt: null }, ofSubscription],
  lot_expiry: [due, ofSubscription],
  start: [due, { ...ofSubscription, countries: [null], offersSelectedBy: ['sub_1'] }],
  trial_end: [due, ofSubscription],
  period_end: [due, ofSubscription],
  window_reset: [due, ofSubscription],
  attempt_step: [
    { ...due, transactionId: 'txn_1', report: { stage: 'settled' } },
    { ...ofSubscription, ...ofTransaction },
  ],
  'attempt.report': [
    { ...charged, ...sub, stage: 'settled', code: null },
    { ...ofSubscription, ...ofTransaction },
  ],
  'receipt.record': [
    { receipts: [{ receiptId: 'rcp_1', invoiceId: 'inv_1', ...receipt }] },
    { invoices: ['inv_1'], creditedInvoices: ['inv_1'] },
  ],
  'receipt.apply': [
    { receiptId: 'rcp_1', invoiceId: 'inv_1', amountMinor: null },
    { receipts: ['rcp_1'], invoices: ['inv_1'], creditedInvoices: ['inv_1'] },
  ],
  'receipt.return': [{ receiptId: 'rcp_1' }, { receipts: ['rcp_1'] }],
  payment_due: [
    { ...due, invoiceId: 'inv_1' },
    { ...ofSubscription, invoices: ['inv_1'] },
  ],
  dunning_retry: [{ ...due, slot: 1 }, ofSubscription],
  daily_scan: [due, ofSubscription],
  'charge.result': [{ ...charged, result: { status: 'settled' } }, ofTransaction],
  'invoice.adjust': [
    { invoiceId: 'inv_1', creditNoteId: 'crn_1', amountMinor: -100n, description: 'Sorry', metadata: {} },
    { creditedInvoices: ['inv_1'] },
  ],
  'invoice.create': [
    {
      currency: null,
      lines: [{ description: 'Workshop', quantity: 2n, unitAmountMinor: 45_000n }],
      memo: null,
      poNumber: null,
      reference: null,
      dueDays: 30,
      metadata: {},
    },
    {},
  ],
  'invoice.mark': [{ invoiceId: 'inv_1', status: 'paid' }, { invoices: ['inv_1'] }],
  'credit.grant': [
    {
      creditId: 'crd_1',
      amountMinor: 100n,
      currency: 'usd',
      source: 'api',
      reason: 'Sorry',
      expiresAt: null,
    },
    {},
  ],
  'credit.revoke': [{ creditId: 'crd_1' }, { credits: ['crd_1'] }],
  'counts.change': [
    { type: 'seats', changes: [{ eventId: 'cev_1', featureCode: 'editors', op: 'add', count: 1n }] },
    { featureCodes: ['editors'], levels: ['editors'] },
  ],
  'transaction.refund': [
    { ...charged, refundId: 'rfd_1', amountMinor: null, reason: null },
    { ...ofTransaction, refunds: ['rfd_1'], refundedTransactions: ['txn_1'] },
  ],
  'transaction.retry': [charged, ofTransaction],
  'dispute.open': [{ ...charged, reason: null }, ofTransaction],
  'dispute.resolve': [{ ...charged, outcome: 'won' }, ofTransaction],
  'payment.create': [
    {
      ...terms,
      successUrl: null,
      saveCard: 'always',
      routing: { provider: 'platform', namedProvider: null, connectionId: null },
    },
    {},
  ],
  'payment.charge': [terms, {}],
  'payment.pay': [
    { paymentId: 'pay_1', method: card, billingAddress: null, taxDocument: null, abandoned: null },
    ofPayment,
  ],
  'payment.authenticate': [{ paymentId: 'pay_1', succeed: true }, ofPayment],
  'payment.cancel': [{ paymentId: 'pay_1', abandoned: null }, ofPayment],
};

const source = path.resolve(import.meta.dirname, '../../../src');
const kinds: readonly string[] = commands.map(({ kind }) => kind);

describe('the list of commands', () => {
  it('contains each command once', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('matches the command files', () => {
    const files = readdirSync(path.join(source, 'domain/subscription/commands'));
    const named = kinds.map((kind) => `${kind.replaceAll(/[._]/g, '-')}.ts`);
    expect(files.filter((file) => file !== 'index.ts').sort()).toEqual(named.sort());
  });

  it('is referenced by the engine only for the expected internal commands', () => {
    const folder = path.join(source, 'engine');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(path.join(folder, file), 'utf8');
        const own = kinds.filter((kind) => text.includes(`'${kind}'`)).sort();
        return own.length > 0 ? [[file, own] as const] : [];
      });
    expect(Object.fromEntries(found)).toEqual({
      // Provider results are processed by a command.
      'charge.ts': ['charge.result', 'dispute.open'],
      'settle.ts': ['charge.result'],
      // A correction after the end of a subscription grants customer credit.
      'usage/correct-ended.ts': ['corrections.end'],
      // Provider results are processed before due deadlines.
      'commit.ts': ['charge.result'],
      // The engine builds the command that changes seats and quota.
      'counts.ts': ['counts.change'],
      // Previews simulate deadlines that cause charges or end commitments, and payment of an open checkout.
      'preview/next-charge.ts': [
        'checkout.pay',
        'grant_expiry',
        'lot_expiry',
        'period_end',
        'trial_end',
        'window_reset',
      ],
    });
  });
});

describe('the data that a command needs', () => {
  const times = { dueAt: at('2026-01-01'), now: at('2026-01-01') };

  it.each(Object.entries(samples))('is declared for %s', (kind, [input, expected]) => {
    // The cast is safe because `samples` has an input for each command.
    const needs = needsOf({ kind, ...input, ...times } as Command);
    expect(needs).toEqual(expected);
    for (const list of Object.keys(needs)) expect(noNeeds).toHaveProperty(list);
  });

  it("includes no subscription for an overdue invoice's notice", () => {
    const notice = { kind: 'daily_scan', deadlineId: 'deadline', subscriptionId: null, ...times } as const;
    expect(needsOf(notice)).toEqual({ subscriptions: [] });
  });
});
