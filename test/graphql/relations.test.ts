import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builder } from '../../src/graphql/reading/builder.ts';
import { relationOf } from '../../src/platform/db/datamodel.ts';
import { schema } from '../../src/schema.ts';
import { createActiveSubscription, firstShop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { columnsRead } from '../support/statements.ts';

describe('a relation of the data model', () => {
  it('follows its foreign key to one row or many rows', () => {
    expect(relationOf('Invoice', 'customer')).toEqual({
      model: 'Customer',
      column: 'customerId',
      by: 'id',
      isRequired: true,
    });
    expect(relationOf('Customer', 'invoices')).toMatchObject({
      model: 'Invoice',
      column: 'id',
      by: 'customerId',
    });
  });

  it('is optional if its key can be null', () => {
    expect(relationOf('Invoice', 'subscription').isRequired).toBe(false);
  });

  it('is distinct from another relation between the same tables', () => {
    expect(relationOf('PlanGrant', 'basePlan').column).toBe('basePlanId');
    expect(relationOf('PlanGrant', 'plan').column).toBe('planId');
    expect(relationOf('Plan', 'grants').by).toBe('planId');
    expect(relationOf('Plan', 'grantsOnTop').by).toBe('basePlanId');
    expect(relationOf('Customer', 'paymentAttempts').by).toBe('payerId');
  });

  it('connects rows in both directions', () => {
    expect(relationOf('CreditNote', 'invoice')).toMatchObject({ column: 'invoiceId', by: 'id' });
    expect(relationOf('Invoice', 'creditNotes')).toMatchObject({ column: 'id', by: 'invoiceId' });
  });

  it('is rejected for global tables and for unknown names', () => {
    expect(() => relationOf('AiModelPrice', 'model')).toThrow('AiModelPrice.model is no relation of tables');
    expect(() => relationOf('Invoice', 'email')).toThrow('Invoice has no relation email.');
    expect(() => relationOf('Invoice', 'id')).toThrow('Invoice has no relation id.');
  });
});

describe('the Prisma plugin client', () => {
  it("belongs to no environment and can't be used", async () => {
    const { client } = builder.options.prisma;
    expect(schema.getQueryType()).toBeDefined();
    expect(client).toBeInstanceOf(Function);
    expect(() => (client as (ctx: object) => unknown)({})).toThrow('t.row, t.rows and t.page');
  });
});

describe('a relation declaration', () => {
  // Never called. Each expected compiler error shows that the compiler rejects the declaration.
  const declarations = () => {
    builder.prismaObjectField('Invoice', 'none', (t) =>
      // @ts-expect-error Invoices have no such relation.
      t.row('owner', { description: '' }),
    );
    builder.prismaObjectField('Invoice', 'none', (t) =>
      // @ts-expect-error The lines of an invoice are many.
      t.row('lines', { description: '' }),
    );
    builder.prismaObjectField('Invoice', 'none', (t) =>
      // @ts-expect-error Lines have no such column.
      t.rows('lines', { orderBy: 'createdAt', description: '' }),
    );
    builder.prismaObjectField('Customer', 'none', (t) =>
      t.page('invoices', {
        description: '',
        // @ts-expect-error Invoices have no such column.
        filter: { email: t.arg.string({ description: '' }) },
      }),
    );
    builder.prismaObjectField('Customer', 'none', (t) =>
      t.computed({
        type: 'String',
        description: '',
        columns: ['email'],
        // @ts-expect-error The resolver names one column and uses another.
        resolve: ({ fullName }) => String(fullName),
      }),
    );
    builder.prismaObjectField('Invoice', 'none', (t) =>
      t.fromRow('customer', {
        type: 'String',
        description: '',
        columns: ['email'],
        // @ts-expect-error The resolver names one column and uses another.
        resolve: ({ fullName }) => String(fullName),
      }),
    );
    builder.prismaObjectField('Invoice', 'none', (t) =>
      // @ts-expect-error A plain field names no columns.
      t.string({ description: '', columns: ['number'], resolve: ({ number }) => String(number) }),
    );
  };

  it('is checked against the models by the compiler', () => {
    expect(declarations).toBeInstanceOf(Function);
  });
});

describe('a relation field', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await startApp();
    await createActiveSubscription(firstShop(t));
  }, 60_000);
  afterAll(() => t.close());

  const readBelow = async (operation: string): Promise<string[]> =>
    (await columnsRead(t, operation)).read.slice(1);

  it('shares one statement with other fields from the same row', async () => {
    expect(
      await readBelow('{ transactions { edges { node { customerEmail customer { timezone } } } } }'),
    ).toEqual(['Customer: email id timezone']);
  });

  it('skips the statement and returns null if the key is null', async () => {
    const { data, read } = await columnsRead(
      t,
      '{ transactions { edges { node { payment { id customer { email } } } } } }',
    );
    expect(data).toEqual({ transactions: { edges: [{ node: { payment: null } }] } });
    expect(read).toEqual(['Transaction: paymentId']);
  });

  it('reads each nested list with the selected columns', async () => {
    const operation = `{ invoices { edges { node { transactions { status refunds { status } }
      subscription { planGrants: offerApplications { status } catalogPlan { prices { billingInterval } } } } } } }`;
    expect((await readBelow(operation)).toSorted()).toEqual([
      'OfferApplication: status subscriptionId',
      'Plan: id',
      'PlanPrice: billingInterval planId',
      'Refund: status transactionId',
      'Subscription: id planId',
      'Transaction: id invoiceId status',
    ]);
  });
});
