import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { importStatement, mostEntries } from './import-statement.ts';
import { usualColumns } from './read-csv.ts';
import { BankStatementFormat, BankStatementImport } from './types.ts';

const columnRule = { minLength: 1, maxLength: 100 } as const;
const mostCharacters = 800_000;

const BankStatementColumnsInput = builder.inputType('BankStatementColumnsInput', {
  description: 'Names of the columns of a CSV file. Names are case-sensitive.',
  fields: (t) => ({
    date: t.string({ rule: columnRule, description: 'Column of the booking date. Defaults to `date`.' }),
    amount: t.string({ rule: columnRule, description: 'Column of the amount. Defaults to `amount`.' }),
    currency: t.string({ rule: columnRule, description: 'Column of the currency. Defaults to `currency`.' }),
    reference: t.string({
      rule: columnRule,
      description: 'Column of the text that the payer entered. Defaults to `reference`.',
    }),
    payerName: t.string({
      rule: columnRule,
      description: "Column of the payer's name. Defaults to `payer_name`.",
    }),
    bankReference: t.string({
      rule: columnRule,
      description: 'Column of the reference at the bank. Defaults to `bank_reference`.',
    }),
  }),
});

const BankStatementImportInput = builder.inputType('BankStatementImportInput', {
  description: 'Parameters for importing a bank statement.',
  fields: (t) => ({
    format: t.field({ type: BankStatementFormat, required: true, description: 'Format of the file.' }),
    content: t.string({
      required: true,
      rule: { minLength: 1, maxLength: mostCharacters, multiline: true },
      description: `Content of the file. From 1 to ${mostCharacters.toLocaleString('en-US')} characters, and up to ${mostEntries.toLocaleString('en-US')} entries. XML with a document type declaration is rejected.`,
    }),
    account: t.string({
      rule: { minLength: 1, maxLength: 34 },
      description:
        'IBAN or number of the account of a CSV file. Entries of different accounts are never duplicates. By default, a CSV file has no account.',
    }),
    currency: t.field({
      type: Currency,
      description:
        'Currency of CSV entries without a currency, as a lowercase ISO 4217 code. By default, these entries are rejected.',
    }),
    hasDecimalComma: t.boolean({
      description:
        'Whether amounts of a CSV file use a decimal comma, as in `1.190,00`. Defaults to `false`.',
    }),
    columns: t.field({
      type: BankStatementColumnsInput,
      description: 'Names of the columns of a CSV file. Defaults to the usual names.',
    }),
  }),
});

/** Returns the given names of columns, and the usual names of the other columns. */
function columnsOf(names: typeof BankStatementColumnsInput.$inferInput | null | undefined) {
  const given = Object.entries(names ?? {}).filter(([, name]) => name != null);
  return { ...usualColumns, ...(Object.fromEntries(given) as Partial<typeof usualColumns>) };
}

builder.mutationField('bankStatementImport', (t) =>
  t.field({
    type: BankStatementImport,
    description:
      "Imports the incoming payments of a bank statement as receipts, and pays the invoices that they name. Each entry is recorded once, so that importing a file again changes nothing. Entries with a problem are rejected, and the other entries are recorded. Fails with `validation_error` if the file can't be read.",
    rest: { method: 'POST', path: '/bank-statements', view: 'BankStatementImport' },
    movesMoney: true,
    access: { scope: 'finance' },
    args: { input: t.arg({ type: BankStatementImportInput, required: true }) },
    resolve: (_root, { input: { format, content, account, currency, hasDecimalComma, columns } }, ctx) =>
      importStatement(ctx, {
        format,
        content,
        csv: {
          account: account ?? null,
          currency: currency ?? null,
          columns: columnsOf(columns),
          hasDecimalComma: hasDecimalComma ?? false,
        },
      }),
  }),
);
