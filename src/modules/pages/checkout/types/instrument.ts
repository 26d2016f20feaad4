import { mandateTextVersion } from '../../../../domain/payments/instruments/mandate-text.ts';
import { instrumentOf } from '../../../../domain/payments/instruments/registry.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { type TestAccount, testAccountsOf } from '../../../../providers/sandbox-debits.ts';
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
    testAccounts: t.field({
      type: [CheckoutTestAccount],
      description: 'Test accounts of the sandbox. Empty for cards and in the live environment.',
      resolve: ({ instrument }) => testAccountsOf(instrument),
    }),
  }),
});

export const CheckoutCollection = builder.objectRef<Row<'Transaction'>>('CheckoutCollection').implement({
  description: 'Bank debit of a checkout that has no result yet.',
  fields: (t) => ({
    amount: t
      .member('amountMinor', 'MINOR')
      .describe('Amount of the debit including tax, in the smallest currency unit.'),
    expectedOn: t
      .maybe('expectedOn', 'DateTime')
      .describe("Date on which the result is expected. `null` if the date isn't set."),
  }),
});
