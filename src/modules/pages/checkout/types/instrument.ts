import { mandateTextVersion } from '../../../../domain/payments/instruments/mandate-text.ts';
import { instrumentOf } from '../../../../domain/payments/instruments/registry.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { type TestAccount, testAccountsOf } from '../../../../providers/sandbox-debits.ts';
import { isSimulatedPush, pushToken } from '../../../../providers/sandbox-push.ts';
import { TransactionStage } from '../../../invoices/invoices/enums.ts';
import { PaymentInstructions } from '../../../invoices/invoices/types/instructions.ts';
import type { OfferedInstrument } from '../derive-instruments.ts';

const CheckoutTestAccount = builder.objectRef<TestAccount>('CheckoutTestAccount').implement({
  description: 'Test account of the sandbox.',
  fields: (t) => ({
    number: t.member('number', 'String').describe('IBAN or account number.'),
    behavior: t.string({
      description: 'Result of a debit from the account, such as `settles`.',
      resolve: ({ behaviour }) => behaviour,
    }),
  }),
});

export const CheckoutInstrument = builder.objectRef<OfferedInstrument>('CheckoutInstrument').implement({
  description: 'Way to pay at a checkout.',
  fields: (t) => ({
    instrument: t
      .member('instrument', 'String')
      .describe('Name of the instrument, such as `card` or `sepa_debit`.'),
    mandateVersion: t.string({
      nullable: true,
      description:
        'Version of the mandate text that the payer must accept. `null` if the instrument needs no mandate.',
      resolve: ({ instrument }) => (instrumentOf(instrument).mandate === 'none' ? null : mandateTextVersion),
    }),
    paymentMethod: t.string({
      nullable: true,
      description:
        'Value to send as `paymentMethod` if the payer starts the payment, such as by Pix. `null` if the payer enters a card or a bank account.',
      resolve: ({ instrument }) => (isSimulatedPush(instrument) ? pushToken(instrument) : null),
    }),
    testAccounts: t.field({
      type: [CheckoutTestAccount],
      description: 'Test accounts of the sandbox. Empty for cards and in the live environment.',
      resolve: ({ instrument }) => testAccountsOf(instrument),
    }),
  }),
});

export const CheckoutCollection = builder.objectRef<Row<'Transaction'>>('CheckoutCollection').implement({
  description: 'Pending payment on a page: a bank debit, or a payment that the payer starts.',
  fields: (t) => ({
    instrument: t.member('instrument', 'String').describe('Name of the instrument, such as `pix`.'),
    stage: t.member('stage', TransactionStage).describe('Stage of the payment.'),
    instructions: t.field({
      type: PaymentInstructions,
      nullable: true,
      description: 'Instructions for the payer. `null` unless the payer can still follow them.',
      resolve: ({ stage, instructions }) => (stage === 'awaiting_payer' ? instructions : null),
    }),
    expiresAt: t
      .maybe('expiresAt', 'DateTime')
      .describe("Time until which the payer can follow the instructions. `null` if they don't expire."),
    amount: t
      .member('amountMinor', 'MINOR')
      .describe('Amount of the payment including tax, in the smallest currency unit.'),
    expectedOn: t
      .maybe('expectedOn', 'DateTime')
      .describe("Date on which the result is expected. `null` if the date isn't set."),
  }),
});
