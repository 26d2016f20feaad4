import type { EntryProblem } from '../../../domain/payments/statements/entries.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Receipt } from '../receipts/types.ts';
import type { EntryOutcome, ImportedEntry } from './import-statement.ts';

export const BankStatementFormat = builder.enumType('BankStatementFormat', {
  description: 'Format of a bank statement.',
  values: {
    camt_053: { description: 'XML in the format camt.053 of ISO 20022, versions 02 to 13.' },
    csv: { description: 'Comma-separated values with a header.' },
  } as const,
});

const outcomes = {
  matched: { description: 'The payment was matched to an invoice, and paid it.' },
  partial: { description: 'The payment was matched to an invoice that is still outstanding.' },
  surplus: { description: 'The payment was matched to an invoice, and a part of its amount is on account.' },
  unmatched: { description: "The payment names no invoice. It's listed as an unmatched receipt." },
  duplicate: { description: 'The entry was already imported. It changed nothing.' },
  rejected: { description: 'The entry has a problem and was not recorded.' },
} as const satisfies Record<EntryOutcome, object>;

const BankEntryOutcome = builder.enumType('BankEntryOutcome', {
  description: 'Outcome of an entry of an imported bank statement.',
  values: outcomes,
});

const problems = {
  debit: { description: 'The money left the account.' },
  not_booked: { description: "The bank hasn't booked the entry yet." },
  amount_invalid: {
    description: "The amount isn't a positive number, or has more decimals than the currency.",
  },
  currency_unsupported: { description: "The currency is missing or isn't supported." },
  date_invalid: { description: 'The booking date is missing or has another format than `2027-05-03`.' },
  date_future: { description: 'The booking date is in the future.' },
} as const satisfies Record<EntryProblem, object>;

const BankEntryProblem = builder.enumType('BankEntryProblem', {
  description: 'Reason for which an entry of a bank statement was rejected.',
  values: problems,
});

const BankStatementEntry = builder.objectRef<ImportedEntry>('BankStatementEntry').implement({
  description: 'Entry of an imported bank statement, with its outcome.',
  fields: (t) => ({
    position: t.int({
      description: 'Position of the entry in the file, starting at 1.',
      resolve: ({ position }) => position,
    }),
    outcome: t.field({
      type: BankEntryOutcome,
      description: 'Outcome of the entry.',
      resolve: ({ outcome }) => outcome,
    }),
    problem: t.field({
      type: BankEntryProblem,
      nullable: true,
      description: "Reason for the rejection. `null` if the entry wasn't rejected.",
      resolve: ({ problem }) => problem,
    }),
    reference: t.string({
      nullable: true,
      description: 'Text that the payer entered, as in the file. `null` if the entry has no text.',
      resolve: ({ raw }) => raw.text,
    }),
    receipt: t.field({
      type: Receipt,
      nullable: true,
      description: 'Receipt of the payment. `null` if the entry was rejected.',
      resolve: ({ receipt }) => receipt,
    }),
  }),
});

const countOf = (entries: readonly ImportedEntry[], outcome: EntryOutcome): number =>
  entries.filter((entry) => entry.outcome === outcome).length;

export const BankStatementImport = builder
  .objectRef<readonly ImportedEntry[]>('BankStatementImport')
  .implement({
    description: 'Result of the import of a bank statement.',
    fields: (t) => ({
      matched: t.int({
        description: 'Number of entries that paid an invoice.',
        resolve: (entries) => countOf(entries, 'matched'),
      }),
      partial: t.int({
        description: 'Number of entries that paid an invoice in part.',
        resolve: (entries) => countOf(entries, 'partial'),
      }),
      surplus: t.int({
        description: 'Number of entries with an amount on account.',
        resolve: (entries) => countOf(entries, 'surplus'),
      }),
      unmatched: t.int({
        description: 'Number of entries that name no invoice.',
        resolve: (entries) => countOf(entries, 'unmatched'),
      }),
      duplicate: t.int({
        description: 'Number of entries that were already imported.',
        resolve: (entries) => countOf(entries, 'duplicate'),
      }),
      rejected: t.int({
        description: 'Number of entries that were rejected.',
        resolve: (entries) => countOf(entries, 'rejected'),
      }),
      entries: t.field({
        type: [BankStatementEntry],
        description: 'Entries in the order of the file.',
        resolve: (entries) => [...entries],
      }),
    }),
  });

restView(
  'BankStatementImport',
  'BankStatementImport',
  'matched partial surplus unmatched duplicate rejected entries { position outcome problem reference receipt { id status amount currency appliedAmount remainingAmount bankReference } }',
);
