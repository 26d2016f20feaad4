import { describe, expect, it } from 'vitest';
import { cellsOf, customersOf } from '../../src/dashboard/pages/customers/csv.ts';

describe('the CSV import of customers', () => {
  it('splits a file into cells in each format that spreadsheets export', () => {
    expect(cellsOf('a,b\r\n"x, ""y""",2\r\n\r\n')).toEqual([
      ['a', 'b'],
      ['x, "y"', '2'],
    ]);
    expect(cellsOf('\ufeffa;b\n1;"two\nlines"')).toEqual([
      ['a', 'b'],
      ['1', 'two\nlines'],
    ]);
    expect(cellsOf('a,b\n1,\n')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
  });

  it('maps columns to customer fields by name', () => {
    const table = customersOf(
      'E-Mail,Full name,External ID,Favorite color\nada@example.com,Ada Lovelace,u_1,green\n',
    );
    expect(table).toEqual({
      issue: null,
      unknownColumns: ['Favorite color'],
      rows: [
        {
          line: 2,
          issue: null,
          customer: { email: 'ada@example.com', fullName: 'Ada Lovelace', externalId: 'u_1' },
        },
      ],
    });
  });

  it('rejects rows with an incomplete address', () => {
    const head = 'email,address,city,zip,country\n';
    expect(customersOf(`${head}a@b.co,1 Main St,Lima,15001,PE`).rows[0]).toEqual({
      line: 2,
      issue: null,
      customer: {
        email: 'a@b.co',
        address: { line1: '1 Main St', city: 'Lima', postalCode: '15001', country: 'PE' },
      },
    });
    expect(customersOf(`${head}a@b.co,,Lima,,PE`).rows[0]?.issue).toBe('address_incomplete');
    expect(customersOf(`${head}a@b.co,,,,`).rows[0]?.issue).toBeNull();
  });

  it('reports problems that prevent the import', () => {
    expect(customersOf('').issue).toBe('empty');
    expect(customersOf('email\n').issue).toBe('empty');
    expect(customersOf('name\nAda').issue).toBe('no_email_column');
    expect(customersOf('email,name\n,Ada').rows[0]?.issue).toBe('email_missing');
    const lines = Array.from({ length: 101 }, (_, index) => `a${index}@example.com`);
    expect(customersOf(`email\n${lines.join('\n')}`).issue).toBe('too_many_rows');
    expect(customersOf(`email\n${lines.slice(1).join('\n')}`).issue).toBeNull();
  });
});
