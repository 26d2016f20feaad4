import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { attemptErrorMessages } from '../../../../src/domain/errors/attempt-error-messages.ts';
import { readCamt } from '../../../../src/modules/payments/statements/read-camt.ts';
import { readCsv, usualColumns } from '../../../../src/modules/payments/statements/read-csv.ts';

// Files of bank statements: camt.053 and CSV (INS-76).

const wrapped = (body: string, version = '08') =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${body}</Stmt></BkToCstmrStmt></Document>`;

const ntry = (amount: string, rest = '', indicator = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>${status}<BookgDt><Dt>2027-05-03</Dt></BookgDt>${rest}</Ntry>`;

const details = (text: string) =>
  `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Acme &amp; Co</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`;

/** Returns the reason for which a file can't be read. `null` if it can be read. */
const reasonOf = (read: () => unknown): string | null => {
  try {
    read();
    return null;
  } catch (error) {
    const { message } = error as Error;
    const texts: Readonly<Record<string, string>> = attemptErrorMessages;
    return Object.keys(texts).find((reason) => texts[reason]?.replace('{most}', '10') === message) ?? message;
  }
};

describe('camt.053', () => {
  it('reads amounts, dates, references, names, and texts', () => {
    const content = wrapped(
      ntry('700.00', `<AcctSvcrRef>B1</AcctSvcrRef>${details('Rechnung RF97INV0042')}`) +
        ntry('5.00', '<AddtlNtryInf>Wise text</AddtlNtryInf>', 'DBIT', '<Sts>PDNG</Sts>'),
    );
    expect(readCamt(content, 10)).toEqual([
      {
        account: 'DE89370400440532013000',
        isBooked: true,
        bookedOn: '2027-05-03',
        isDebit: false,
        amount: '700.00',
        currency: 'EUR',
        text: 'Rechnung RF97INV0042',
        payerName: 'Acme & Co',
        bankReference: 'B1',
      },
      {
        account: 'DE89370400440532013000',
        isBooked: false,
        bookedOn: '2027-05-03',
        isDebit: true,
        amount: '5.00',
        currency: 'EUR',
        text: 'Wise text',
        payerName: null,
        bankReference: null,
      },
    ]);
  });

  it('reads each payment of a batch, and ignores the text of the batch', () => {
    const payment = (amount: string, reference: string) =>
      `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`;
    const batch = `<NtryDtls>${payment('1.00', 'a')}${payment('2.00', 'b')}</NtryDtls><AddtlNtryInf>Batch</AddtlNtryInf>`;
    expect(
      readCamt(wrapped(ntry('3.00', batch), '02'), 10).map((entry) => [
        entry.amount,
        entry.bankReference,
        entry.text,
      ]),
    ).toEqual([
      ['1.00', 'a', null],
      ['2.00', 'b', null],
    ]);
  });

  test.each([
    ['statement_malformed', '<Document'],
    ['statement_malformed', wrapped('<Ntry>')],
    ['statement_malformed', wrapped('&unknown;')],
    ['statement_malformed', 'no xml'],
    ['statement_format', '<html xmlns="http://www.w3.org/1999/xhtml"></html>'],
    ['statement_format', wrapped('', '14')],
    [
      'statement_doctype',
      `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>${wrapped('&b;').slice(38)}`,
    ],
    ['statement_doctype', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${wrapped('').slice(38)}`],
    ['statement_malformed', wrapped('<a>'.repeat(50) + '</a>'.repeat(50))],
    ['statement_entries', wrapped(ntry('1.00').repeat(11))],
  ])('fails with %s for %o', (reason, content) => {
    expect(reasonOf(() => readCamt(content, 10))).toBe(reason);
  });

  it('reads the example of the documentation', () => {
    const example = readFileSync('docs/examples/camt.053.xml', 'utf8');
    expect(readCamt(example, 10).map(({ amount, text }) => [amount, text])).toEqual([
      ['700.00', 'RF97INV0042'],
      ['119.00', 'INV-0043'],
    ]);
  });
});

describe('CSV', () => {
  const terms = { account: null, currency: null, columns: usualColumns, hasDecimalComma: false };
  const read = (content: string, more: Partial<typeof terms> = {}, most = 10) =>
    readCsv(content, { ...terms, ...more }, most);

  it('reads the usual columns, and stores formulas as text', () => {
    const content =
      '\ufeffdate,amount,currency,reference,payer_name,bank_reference\n2027-05-03,"1,190.00",EUR,=1+1,"Acme, Inc.",B1\n2027-05-03,-5.00,EUR,,,\n';
    expect(read(content)).toEqual([
      {
        account: null,
        isDebit: false,
        isBooked: true,
        amount: '1190.00',
        currency: 'EUR',
        bookedOn: '2027-05-03',
        text: '=1+1',
        payerName: 'Acme, Inc.',
        bankReference: 'B1',
      },
      {
        account: null,
        isDebit: true,
        isBooked: true,
        amount: '5.00',
        currency: 'EUR',
        bookedOn: '2027-05-03',
        text: null,
        payerName: null,
        bankReference: null,
      },
    ]);
  });

  it('reads other columns, semicolons, and decimal commas', () => {
    const columns = { ...usualColumns, date: 'Buchungstag', amount: 'Betrag', reference: 'Zweck' };
    const content = 'Buchungstag;Betrag;Zweck\n03.05.2027;1.190,00;RF97INV0042\n';
    const more = { columns, hasDecimalComma: true, currency: 'eur', account: 'DE1' } as never;
    expect(read(content, more)).toMatchObject([
      { account: 'DE1', amount: '1190.00', currency: 'eur', bookedOn: '03.05.2027', text: 'RF97INV0042' },
    ]);
  });

  test.each([
    ['statement_columns', 'a,b\n1,2\n'],
    ['statement_columns', 'date,amount\n'],
    ['statement_malformed', 'date,amount\n1,2,3\n'],
    ['statement_malformed', 'date,amount\n"1,2\n'],
    ['statement_entries', `date,amount\n${'2027-05-03,1\n'.repeat(11)}`],
  ])('fails with %s for %o', (reason, content) => {
    expect(reasonOf(() => read(content))).toBe(reason);
  });
});
