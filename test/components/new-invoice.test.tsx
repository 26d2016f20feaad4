import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const connection = (...nodes: readonly object[]) => ({ nodes, edges: nodes.map((node) => ({ node })) });
const ada = { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' };

/** Previewed invoice with a tax of 10%. */
const previewOf = ({ command }: { readonly command: { readonly invoiceCreate?: unknown } }) => ({
  rejection: null,
  totals: [],
  invoices:
    command.invoiceCreate === undefined
      ? []
      : [
          {
            currency: 'usd',
            subtotal: 102_000,
            taxAmount: 10_200,
            total: 112_200,
            lineItems: [],
            payments: [],
          },
        ],
});

describe('the form for an invoice', () => {
  it('shows the tax before the invoice is created, sends all line items, and emails the invoice', async () => {
    const { user, sent } = await openDashboard('/invoices?open=new', {
      customers: connection(ada),
      subscriptionPreview: previewOf,
      invoiceCreate: { id: 'inv_1', invoiceNumber: 'INV-0007' },
      invoiceSend: { sent: true },
    });
    const form = await screen.findByRole('dialog', { name: 'New invoice' });
    const fields = within(form);
    await user.type(await fields.findByRole('combobox', { name: 'Customer' }), 'Ada Lovelace');
    await user.click(await screen.findByRole('option', { name: /Ada Lovelace/ }));
    expect(fields.getByRole('button', { name: 'Create invoice' })).toHaveProperty('disabled', true);
    await user.type(fields.getByRole('textbox', { name: 'Line item 1' }), 'Workshop');
    await user.type(fields.getByRole('textbox', { name: 'Unit price of line item 1' }), '450');
    await user.click(fields.getByRole('button', { name: 'Increase Quantity of line item 1' }));
    await user.click(fields.getByRole('button', { name: 'Add line item' }));
    await user.type(fields.getByRole('textbox', { name: 'Line item 2' }), 'Travel');
    await user.type(fields.getByRole('textbox', { name: 'Unit price of line item 2' }), '120');
    await user.type(fields.getByRole('textbox', { name: /^Memo/ }), 'Thank you.');
    const create = await fields.findByRole('button', { name: 'Create invoice for $1,122.00' });
    expect(form.textContent).toContain('$102.00');
    await user.click(create);
    await waitFor(() => expect(sent.map(({ name }) => name)).toEqual(['invoiceCreate', 'invoiceSend']));
    expect(sent).toMatchObject([
      {
        input: {
          customerId: 'cus_1',
          currency: 'usd',
          lineItems: [
            { description: 'Workshop', quantity: 2, unitAmount: 45_000 },
            { description: 'Travel', quantity: 1, unitAmount: 12_000 },
          ],
          daysUntilDue: 30,
          memo: 'Thank you.',
        },
      },
      { input: { id: 'inv_1' } },
    ]);
    await screen.findByText('Invoice INV-0007 sent to ada@example.com');
  });
});
