import { expect, expectTypeOf, test } from 'vitest';
import {
  BillingError,
  type Customer,
  type LiveEvent,
  type OperationErrors,
  type Quittance,
  type QuittanceError,
  ValidationError,
  type WebhookEvent,
} from '../../../src/packages/sdk/index.ts';

// Types of the client. The compiler checks them; at run time, the functions are never called.

type Method<Namespace extends keyof Quittance, Name extends keyof Quittance[Namespace]> = Extract<
  Quittance[Namespace][Name],
  (...parameters: never[]) => unknown
>;

test('the methods have the types of their routes', () => {
  expectTypeOf<Method<'customers', 'get'>>().returns.resolves.toEqualTypeOf<Customer>();
  expectTypeOf<Method<'customers', 'create'>>().parameter(0).toHaveProperty('email').toEqualTypeOf<string>();
  const readAll = async (q: Quittance) => {
    for await (const customer of q.customers.list()) expectTypeOf(customer).toEqualTypeOf<Customer>();
    // @ts-expect-error: The input requires an email address.
    await q.customers.create({});
    // @ts-expect-error: The status doesn't exist.
    await q.invoices.list({ statuses: ['overdue'] });
  };
  expect(readAll).toBeTypeOf('function');
});

test('the class and the code of an error narrow its type', () => {
  const narrow = (error: QuittanceError) => {
    if (error instanceof ValidationError && error.code === 'validation_error')
      expectTypeOf(error.details).toEqualTypeOf<
        readonly { readonly field: string; readonly message: string }[]
      >();
    // @ts-expect-error: The code belongs to another type.
    if (error instanceof BillingError) return error.code === 'customer_not_found';
    return false;
  };
  expect(narrow).toBeTypeOf('function');
  expectTypeOf<'included_limit_reached'>().toExtend<OperationErrors['usage.track']>();
  expectTypeOf<'card_declined'>().not.toExtend<OperationErrors['usage.track']>();
});

test('the type of an event narrows its data', () => {
  const narrow = (event: WebhookEvent | LiveEvent) => {
    if (event.event === 'invoice.created') expectTypeOf(event.data.invoiceNumber).toEqualTypeOf<string>();
    if (event.event === 'customer.created')
      expectTypeOf(event.data.externalId).toEqualTypeOf<string | null>();
    // @ts-expect-error: The event type doesn't exist.
    return event.event === 'invoice.printed';
  };
  expect(narrow).toBeTypeOf('function');
});
