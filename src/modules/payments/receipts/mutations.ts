import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { executeOne } from '../../../engine/execute.ts';
import { operation } from '../../../engine/operation.ts';
import type { Rule } from '../../../graphql/declare/rules.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { recordTransfers, type Transfer } from './record-transfers.ts';
import { lockReceipts, requireReceipt, returnUnmatched, type StoredReceipt } from './store.ts';
import { Receipt } from './types.ts';

const amountRule = { minimum: 1 } as const satisfies Rule;
const textRule = { minLength: 1, maxLength: 500 } as const satisfies Rule;
const nameRule = { minLength: 1, maxLength: 140 } as const satisfies Rule;

/** Returns the input type of a mutation that records a transfer. */
const transferInput = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      amount: t.field({
        type: 'SafeInt',
        required: true,
        amount: 'MINOR',
        rule: amountRule,
        description: 'Received amount, in the smallest currency unit. At least 1.',
      }),
      currency: t.field({
        type: Currency,
        required: true,
        description: 'Currency of the amount, as a lowercase ISO 4217 code.',
      }),
      reference: t.string({
        rule: textRule,
        description:
          'Payment reference or text that the payer entered. From 1 to 500 characters. A receipt without a known reference is unmatched.',
      }),
      payerName: t.string({
        rule: nameRule,
        description: 'Name of the payer at the bank. From 1 to 140 characters.',
      }),
      bankReference: t.string({
        rule: nameRule,
        description:
          'Reference that identifies the transfer at the bank. From 1 to 140 characters. Fails with `duplicate` if a receipt has the reference. By default, Quittance assigns a reference.',
      }),
      receivedAt: t.field({
        type: 'DateTime',
        description:
          "Time at which the money arrived. Can't be in the future. Defaults to the current time; in a sandbox, to the test clock's time.",
      }),
    }),
  });

const ReceiptRecordInput = transferInput(
  'ReceiptRecordInput',
  'Parameters for recording a bank transfer that arrived.',
);

const SandboxTransferInput = transferInput(
  'SandboxTransferInput',
  'Parameters for simulating a bank transfer.',
);

type RecordInput = typeof ReceiptRecordInput.$inferInput;

/** Records one transfer. Throws `duplicate` if its reference at the bank is known. */
function recordOne(
  ctx: Context,
  { amount, currency, reference: text, payerName, bankReference, receivedAt }: RecordInput,
  source: 'manual' | 'simulation',
): Promise<StoredReceipt> {
  const now = ctx.clock.now();
  if (receivedAt != null && receivedAt > now)
    throw specificError('validation_error', 'receipt_future', { param: 'receivedAt' });
  const transfer: Transfer = {
    amountMinor: BigInt(amount),
    currency,
    text: text ?? null,
    payerName: payerName ?? null,
    bankReference: bankReference ?? `own:${newId('ref')}`,
    receivedAt: receivedAt ?? now,
  };
  return inTransaction(ctx, async (tx) => {
    await lockReceipts(tx);
    const { receipts, known } = await recordTransfers(tx, [transfer], source);
    const receipt = receipts.get(transfer.bankReference);
    if (known.has(transfer.bankReference))
      throw specificError('duplicate', 'receipt_known', {
        param: 'bankReference',
        values: { receiptId: receipt?.id ?? '' },
      });
    if (receipt === undefined) throw new Error('A recorded receipt must be stored.');
    return receipt;
  });
}

builder.mutationField('receiptRecord', (t) =>
  t.field({
    type: Receipt,
    description:
      "Records a bank transfer that arrived in the organization's account. If `reference` contains the payment reference of an invoice, or the number of an invoice with exactly this amount due, the money pays the invoice in full or in part. The rest stays on account and pays later renewals. Other receipts are unmatched.",
    rest: { method: 'POST', path: '/receipts', status: 201, view: 'Receipt' },
    errors: [['duplicate', 'a receipt has the reference at the bank']],
    movesMoney: true,
    access: { scope: 'finance' },
    args: { input: t.arg({ type: ReceiptRecordInput, required: true }) },
    resolve: (_root, { input }, ctx) => recordOne(ctx, input, 'manual'),
  }),
);

builder.mutationField('sandboxTransfer', (t) =>
  t.field({
    type: Receipt,
    description:
      'Simulates a bank transfer of any amount in the sandbox. The transfer has the same effects as a transfer that is recorded with `receiptRecord`.',
    errors: [['duplicate', 'a receipt has the reference at the bank']],
    movesMoney: true,
    access: { scope: 'finance', environment: 'sandbox' },
    args: { input: t.arg({ type: SandboxTransferInput, required: true }) },
    resolve: (_root, { input }, ctx) => recordOne(ctx, input, 'simulation'),
  }),
);

const ReceiptApplyInput = builder.inputType('ReceiptApplyInput', {
  description: 'Parameters for applying a receipt to an invoice.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: 'ID of the receipt.' }),
    invoiceId: t.id({
      required: true,
      rule: reference,
      description: 'ID of the outstanding invoice. It must have the currency of the receipt.',
    }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: amountRule,
      description:
        'Amount to apply, in the smallest currency unit. At least 1. Defaults to the amount due, or to the remaining amount of the receipt if it is less.',
    }),
  }),
});

/** Applies an unmatched receipt, or money on account, to an invoice (INS-78). */
const receiptApply = operation({
  input: ReceiptApplyInput,
  find: async (ctx, { id, invoiceId }) => {
    const receipt = await requireReceipt(ctx, id);
    const invoice = await loadRow(ctx, 'Invoice', invoiceId);
    const isOwn = invoice !== null && (receipt.customerId ?? invoice.customerId) === invoice.customerId;
    if (!isOwn) throw new QuittanceError('invoice_not_found', { param: 'invoiceId' });
    return { customerId: invoice.customerId, receipt };
  },
  command: ({ id, invoiceId, amount }) => ({
    kind: 'receipt.apply',
    receiptId: id,
    invoiceId,
    amountMinor: amount == null ? null : BigInt(amount),
  }),
  result: (ctx, { subject: { receipt } }) => {
    ctx.forget();
    return requireReceipt(ctx, receipt.id);
  },
});

builder.mutationField('receiptApply', (t) =>
  t.operation(receiptApply, {
    type: Receipt,
    description:
      "Applies an unmatched receipt, or the remaining amount of a receipt, to an outstanding invoice. The invoice is paid in full or in part. The rest of the receipt stays on account. Fails with `validation_error` if the receipt has no remaining amount, or if the amount or the invoice doesn't fit.",
    rest: { method: 'POST', path: '/receipts/{id}/apply', view: 'Receipt' },
    errors: [['not_found', "the receipt doesn't exist"], 'invoice_not_found'],
    movesMoney: true,
    access: { scope: 'finance' },
  }),
);

const ReceiptReturnInput = builder.inputType('ReceiptReturnInput', {
  description: 'Parameters for returning the remaining amount of a receipt.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: 'ID of the receipt.' }),
  }),
});

async function returnReceipt(ctx: Context, id: string): Promise<StoredReceipt> {
  const receipt = await requireReceipt(ctx, id);
  if (receipt.customerId === null) await inTransaction(ctx, (tx) => returnUnmatched(tx, id));
  else await executeOne(ctx, receipt.customerId, { kind: 'receipt.return', receiptId: id });
  ctx.forget();
  return requireReceipt(ctx, id);
}

builder.mutationField('receiptReturn', (t) =>
  t.field({
    type: Receipt,
    description:
      "Records that the remaining amount of a receipt was returned to the payer. Quittance doesn't transfer the money: return it with your bank. Fails with `validation_error` if the receipt has no remaining amount.",
    rest: { method: 'POST', path: '/receipts/{id}/return', view: 'Receipt' },
    errors: [['not_found', "the receipt doesn't exist"]],
    movesMoney: true,
    access: { scope: 'finance' },
    args: { input: t.arg({ type: ReceiptReturnInput, required: true }) },
    resolve: (_root, { input }, ctx) => returnReceipt(ctx, input.id),
  }),
);
