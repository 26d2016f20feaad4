import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../modules/pages/portal/visit.ts';
import { cards, createAdjustment, createCredit, createPrice } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// An unpaid checkout's invoice isn't a debt. A checkout has a single invoice, regardless of the payer's selections (BIL-30).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Returns all amounts shown to the organization as outstanding. */
async function debts(story: Story) {
  const seen = await story.ask<{
    attention: { kind: string; amounts: { amount: number }[] }[];
    overdue: { totalCount: { value: number } };
    debtors: { totalCount: { value: number } };
    customers: { nodes: { externalId: string; totals: { open: { amount: number }[] } }[] };
    invoices: { totals: { status: string; outstanding: number }[] };
    ledgerAccounts: { name: string; balance: number }[];
    ledgerVerify: { ok: boolean };
    metricsVerify: { ok: boolean };
  }>(`{
    attention { kind amounts { amount } }
    overdue: invoices(filter: { isOverdue: true }) { totalCount { value } }
    debtors: customers(filter: { isOverdue: true }) { totalCount { value } }
    customers { nodes { externalId totals { open { amount } } } }
    invoices { totals { status outstanding } }
    ledgerAccounts { name balance }
    ledgerVerify { ok } metricsVerify { ok }
  }`);
  return {
    attention: seen.attention.map(
      ({ kind, amounts }) => `${kind} ${amounts.map(({ amount }) => amount).join()}`,
    ),
    overdue: seen.overdue.totalCount.value,
    debtors: seen.debtors.totalCount.value,
    open: seen.customers.nodes
      .flatMap(({ totals }) => totals.open.map(({ amount }) => amount))
      .filter((n) => n > 0),
    outstanding: seen.invoices.totals.reduce((sum, { outstanding }) => sum + outstanding, 0),
    receivable: seen.ledgerAccounts.find(({ name }) => name === 'receivable')?.balance ?? 0,
    isSound: seen.ledgerVerify.ok && seen.metricsVerify.ok,
  };
}

const noDebts = { overdue: 0, debtors: 0, open: [], outstanding: 0, receivable: 0, isSound: true };

const listed = async (story: Story, { customerId }: Subscriber): Promise<string[]> =>
  (
    await story.do<{ data: { invoiceNumber: string; status: string; total: number }[] }>(
      'GET',
      `/invoices?customerId=${customerId}`,
    )
  ).data.map(({ invoiceNumber, status, total }) => `${invoiceNumber} ${status} ${total}`);

describe("an unpaid checkout's invoice", () => {
  it("isn't outstanding a month later, and becomes a document after the payment", () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900 } });
      const ada = await story.subscribe('ada', 'cove');
      await story.on('2027-04-01');
      expect(await debts(story)).toEqual({ ...noDebts, attention: ['abandoned_checkout 4900'] });
      // The REST API still returns the invoice.
      expect(await listed(story, ada)).toEqual(['INV-0001 outstanding 4900']);
      const portal = await visit(story, 'ada');
      expect(await portal.portal('invoices { nodes { invoiceNumber } }')).toEqual({
        invoices: { nodes: [] },
      });
      expect((await story.news()).events).not.toContain('invoice.overdue');

      expect(await story.pay(ada)).toBe('paid');
      const [paid] = (
        await story.ask<{ invoices: { nodes: object[] } }>(
          '{ invoices { nodes { invoiceNumber status issueDate dueDate finalizedAt paidAt } } }',
        )
      ).invoices.nodes;
      const at = '2027-04-01T00:00:00.000Z';
      expect(paid).toMatchObject({ invoiceNumber: 'INV-0001', status: 'paid', issueDate: at, dueDate: at });
      expect(paid).toMatchObject({ finalizedAt: expect.any(String), paidAt: expect.any(String) });
      expect(await portal.portal('invoices { nodes { invoiceNumber } }')).toEqual({
        invoices: { nodes: [{ invoiceNumber: 'INV-0001' }] },
      });
      expect(await debts(story)).toEqual({ ...noDebts, attention: [] });
    }));

  it('reserves customer credits while the checkout is open, and returns them if the checkout is canceled', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 4_900 } });
      await story.do('POST', '/customers', { email: 'bob@story.test', externalId: 'bob', fullName: 'bob' });
      await createCredit(story.shop, 'bob');
      const { id } = await story.do<{ id: string }>('POST', '/subscriptions', {
        customerId: 'bob',
        planCode: 'cove',
      });
      const accounts = async () =>
        (
          await story.ask<{ ledgerAccounts: { name: string; balance: number }[] }>(
            '{ ledgerAccounts { name balance } }',
          )
        ).ledgerAccounts
          .filter(({ name }) => name.endsWith('_credit'))
          .map(({ name, balance }) => `${name} ${balance}`);
      expect(await accounts()).toEqual(['customer_credit 0', 'reserved_credit -500']);
      expect(await debts(story)).toMatchObject(noDebts);
      await story.do('POST', `/subscriptions/${id}/cancel`, {});
      expect(await accounts()).toEqual(['customer_credit -500', 'reserved_credit 0']);
      expect(await debts(story)).toMatchObject(noDebts);
    }));

  it("isn't outstanding after a trial whose card requires authentication, unlike an invoice in dunning", () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id } = await story.sell('cove', { price: { price: 4_900, trialDays: 7 } });
      expect(id).toMatch(/^pln_/);
      const waits = await story.subscribe('eve', 'cove');
      await story.pay(waits, '4000002760003184');
      await story.authenticate(waits, true);
      const declined = await story.subscribe('fay', 'cove');
      await story.pay(declined, '4000000000000341');
      await story.on('2027-03-20');
      expect(await story.state(waits)).toMatch(/^pending_payment/);
      expect(await story.state(declined)).toMatch(/^(past_due|canceled)/);
      const seen = await debts(story);
      expect(seen.isSound).toBe(true);
      // 49.00 is outstanding for the declined subscription, but the open checkout's invoice isn't outstanding.
      expect(seen.receivable).toBeLessThanOrEqual(4_900);
      expect(seen.open.length).toBeLessThanOrEqual(1);
    }));

  it("isn't outstanding, unlike an adjustment", () =>
    runStory(t, '2027-03-01', async (story) => {
      await createAdjustment(story.shop, { amount: 700 });
      await story.on('2027-03-20');
      expect(await debts(story)).toMatchObject({
        overdue: 1,
        debtors: 1,
        open: [700],
        outstanding: 700,
        receivable: 700,
        isSound: true,
        attention: ['overdue_invoice 700'],
      });
    }));
});

describe('a checkout', () => {
  it("uses one invoice with one number for all of the payer's choices, so invoice numbers have no gaps", () =>
    runStory(t, '2027-03-01', async (story) => {
      const editors = { type: 'seats', includedAmount: 1, overage: { enabled: true, unitPrice: 50_000 } };
      const { id } = await story.sell('team', { price: { price: 3_400 }, features: { editors } });
      await createPrice(story.shop, id, { billingInterval: 'yearly', price: 34_000 });
      await createPrice(story.shop, id, { billingInterval: 'quarterly', price: 9_000, trialDays: 14 });
      await story.ask('mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }');
      const ada = await story.subscribe('ada', 'team');
      const update =
        'mutation ($input: CheckoutUpdateInput!) { checkoutUpdate(input: $input) { amountDue } }';
      const choose = (input: object) =>
        t.graphql(update, { input: { token: ada.token, ...input } }, { key: null });
      for (const editors of [2, 3, 4]) await choose({ seats: { editors } });
      for (const billingInterval of ['yearly', 'quarterly', 'monthly']) await choose({ billingInterval });
      // 34.00 plus three seats at 5.00 each.
      expect(await listed(story, ada)).toEqual(['INV-0001 outstanding 4900']);
      const address = (country: string) => ({
        billingAddress: { line1: '1 Main St', city: 'Town', postalCode: '12345', country },
      });
      expect(await story.pay(ada, cards.declines, address('DE'))).toMatch(/^charge_failed/);
      // 49.00 × 19% = 9.31.
      expect(await listed(story, ada)).toEqual(['INV-0001 outstanding 5831']);
      expect(await story.pay(ada, cards.pays, address('NO'))).toBe('paid');
      expect(await listed(story, ada)).toEqual(['INV-0001 paid 4900']);
      const bob = await story.subscribe('bob', 'team');
      expect(await listed(story, bob)).toEqual(['INV-0002 outstanding 3400']);
      expect(await debts(story)).toMatchObject(noDebts);
      expect((await story.news()).events).not.toContain('invoice.voided');
    }));
});
