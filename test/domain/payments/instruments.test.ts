import { describe, expect, it, test } from 'vitest';
import {
  addBusinessDays,
  type Calendar,
  isBusinessDay,
} from '../../../src/domain/payments/instruments/calendars.ts';
import { misfitOf, narrowed } from '../../../src/domain/payments/instruments/effective.ts';
import {
  collectionDate,
  failureClassOf,
  retryDate,
} from '../../../src/domain/payments/instruments/failures.ts';
import type { Instrument } from '../../../src/domain/payments/instruments/instrument.ts';
import { instrumentOf, instruments } from '../../../src/domain/payments/instruments/registry.ts';
import { transitionOf, withReport } from '../../../src/domain/payments/instruments/stages.ts';
import type { TransactionStage } from '../../../src/domain/rows/enums.ts';
import { code, files } from '../../support/server-source.ts';

const at = (date: string): Date => new Date(date.length === 10 ? `${date}T00:00:00.000Z` : date);
const day = (date: Date | null): string | null => date?.toISOString().slice(0, 10) ?? null;

describe('a business calendar', () => {
  /** Weekdays without bank business in a year. */
  const closed = (calendar: Calendar, year: number): string[] => {
    const days: string[] = [];
    for (
      let date = at(`${year}-01-01`);
      date.getUTCFullYear() === year;
      date = new Date(date.getTime() + 86_400_000)
    ) {
      const isWeekday = date.getUTCDay() % 6 !== 0;
      if (isWeekday && !isBusinessDay(calendar, date)) days.push(date.toISOString().slice(5, 10));
    }
    return days;
  };

  it.each([
    ['target', 2026, '01-01 04-03 04-06 05-01 12-25'],
    ['target', 2027, '01-01 03-26 03-29'],
    ['us_fed', 2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    ['us_fed', 2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
    ['uk', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    ['uk', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
    ['uk', 2022, '01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27'],
    ['au', 2026, '01-01 01-26 04-03 04-06 06-08 12-25 12-28'],
    ['ca', 2026, '01-01 04-03 05-18 07-01 09-07 09-30 10-12 11-11 12-25 12-28'],
    ['br', 2026, '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25'],
    ['mx', 2026, '01-01 02-02 03-16 04-02 04-03 05-01 09-16 11-02 11-16 12-25'],
  ] as const)('%s has the known holidays of %i', (calendar, year, expected) => {
    expect(closed(calendar, year)).toEqual(expected.split(' '));
  });

  it('works for every year to 9999', () => {
    expect(day(addBusinessDays('target', at('9999-12-23'), 1))).toBe('9999-12-24');
    expect(isBusinessDay('target', at('9998-12-25'))).toBe(false);
  });
});

describe('an instrument', () => {
  const rows: [string, Instrument][] = Object.entries(instruments);

  it.each(rows)('%s has consistent properties', (_name, row) => {
    const { confirmation, submission, expiry, yields } = row;
    expect(confirmation.typical <= confirmation.latest).toBe(true);
    expect(submission.least <= submission.used && submission.used <= submission.most).toBe(true);
    if (expiry !== null) expect(expiry.least <= expiry.default && expiry.default <= expiry.most).toBe(true);
    expect(Object.hasOwn(instruments, yields)).toBe(true);
    // A push payment has no mandate, and a mandate belongs to an instrument that can be charged off-session.
    expect(row.mandate === 'none' || row.offSession).toBe(true);
    expect(row.initiation === 'pull' || !row.offSession).toBe(true);
  });

  it.each(rows)('%s is only narrowed by a restriction (INS-3)', (_name, row) => {
    const by = {
      currencies: ['eur', 'usd'],
      countries: ['DE', 'US'],
      latest: 20,
      limits: { eur: { most: 5n } },
    };
    const less = narrowed(row, by);
    expect(less.currencies?.every((one) => row.currencies?.includes(one) ?? true)).toBe(true);
    expect(less.countries?.every((one) => row.countries?.includes(one) ?? true)).toBe(true);
    expect(less.confirmation.latest).toBe(Math.max(row.confirmation.latest, 20));
    expect(less.limits['eur']?.most).toBe(5n);
    expect(narrowed(row, {})).toEqual(row);
  });

  it('fits a charge by currency, country, and amount (INS-5)', () => {
    const sepa = instrumentOf('sepa_debit');
    const charge = { currency: 'eur', country: 'DE', amountMinor: 5831n };
    expect(misfitOf(sepa, charge)).toBeNull();
    expect(misfitOf(sepa, { ...charge, currency: 'usd' })).toBe('currency_not_supported');
    expect(misfitOf(sepa, { ...charge, country: 'BR' })).toBe('instrument_not_available');
    expect(misfitOf(sepa, { ...charge, amountMinor: 1_000_001n })).toBe('amount_out_of_range');
    expect(misfitOf(instrumentOf('oxxo'), { currency: 'mxn', country: 'MX', amountMinor: 999n })).toBe(
      'amount_out_of_range',
    );
    expect(misfitOf(instrumentOf('card'), { ...charge, currency: 'jpy', country: null })).toBeNull();
  });

  it('is rejected if its name is unknown', () => {
    expect(() => instrumentOf('barter')).toThrow('There is no instrument barter.');
  });
});

describe('the collection date (INS-20)', () => {
  it.each([
    ['card', '2027-03-06T10:00:00Z', false, '2027-03-06'],
    ['sepa_debit', '2027-03-02', false, '2027-03-04'],
    ['sepa_debit', '2027-03-04T15:00:00Z', true, '2027-03-04'],
    ['sepa_debit', '2027-03-06T15:00:00Z', true, '2027-03-08'],
    ['sepa_debit', '2027-03-25', false, '2027-03-30'],
    ['ach_debit', '2027-06-17', false, '2027-06-17'],
    ['pix_automatico', '2027-01-12', false, '2027-01-15'],
  ] as const)('is correct for %s at %s with the payer present = %j: %s', (name, now, isPresent, expected) => {
    expect(day(collectionDate(instrumentOf(name), at(now), isPresent))).toBe(expected);
  });
});

describe('a retry (INS-44)', () => {
  const sepa = instrumentOf('sepa_debit');
  const failed = (endedAt: string, code: string) => ({
    collectionOn: at('2027-03-04'),
    endedAt: at(endedAt),
    code,
  });

  it.each([
    ['2027-03-10T06:00:00Z', [failed('2027-03-09T06:00:00Z', 'AM04')], '2027-03-12'],
    [
      '2027-03-19T06:00:00Z',
      [failed('2027-03-09', 'AM04'), failed('2027-03-17T06:00:00Z', 'AM04')],
      '2027-03-22',
    ],
    [
      '2027-03-27',
      [failed('2027-03-09', 'AM04'), failed('2027-03-17', 'AM04'), failed('2027-03-25', 'AM04')],
      null,
    ],
    ['2027-03-26', [failed('2027-03-25', 'MD06')], null],
    ['2027-03-10', [failed('2027-03-09', 'AC04')], null],
    ['2027-03-10', [failed('2027-03-09', 'ZZ99')], '2027-03-12'],
    ['2027-03-19', [failed('2027-03-09', 'ZZ99'), failed('2027-03-17', 'ZZ99')], null],
    ['2027-05-10', [failed('2027-05-07', 'AM04')], null],
  ] as const)('is collected at %s after %j on %s', (now, attempts, expected) => {
    expect(day(retryDate(sepa, attempts, at(now)))).toBe(expected);
  });

  it('is made in every slot if the payment method is a card', () => {
    const attempts = Array.from({ length: 9 }, () => failed('2027-03-09', 'card_declined'));
    expect(day(retryDate(instrumentOf('card'), attempts, at('2027-03-10')))).toBe('2027-03-10');
  });

  it.each([
    ['AM04', 'funds'],
    ['R10', 'payer'],
    ['MD01', 'mandate'],
    ['R02', 'account'],
    ['card_declined', 'unknown'],
    [null, 'unknown'],
  ] as const)('reads the code %s as the class %s (INS-45)', (code, expected) => {
    expect(failureClassOf(code)).toBe(expected);
  });
});

describe('the stage of an attempt', () => {
  const stageAfter = (reports: readonly TransactionStage[]): TransactionStage =>
    reports.reduce<TransactionStage>((stage, report) => {
      const next = transitionOf(stage, report, true);
      return next.kind === 'moved' ? (next.through.at(-1) ?? stage) : stage;
    }, 'requested');

  const permutations = <T>(list: readonly T[]): T[][] =>
    list.length < 2
      ? [[...list]]
      : list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]));

  // Histories along the table of INS-10, with repeated reports.
  it.each([
    [['processing', 'settled'], 'settled'],
    [['processing', 'processing', 'declined'], 'declined'],
    [['awaiting_payer', 'processing', 'settled', 'returned'], 'returned'],
    [['awaiting_payer', 'awaiting_payer', 'expired'], 'expired'],
    [['scheduled', 'requested', 'processing', 'settled', 'settled'], 'settled'],
    [['processing', 'canceled'], 'canceled'],
  ] as const)('is the same for every order of the reports %j (law 5)', (reports, expected) => {
    const found = new Set(permutations<TransactionStage>(reports).map(stageAfter));
    expect([...found]).toEqual([expected]);
  });

  test.each([
    ['settled', 'declined', true, { kind: 'moved', through: ['returned'] }],
    ['settled', 'declined', false, { kind: 'contradiction' }],
    ['declined', 'settled', true, { kind: 'contradiction' }],
    ['declined', 'returned', true, { kind: 'contradiction' }],
    ['returned', 'settled', true, { kind: 'late' }],
    ['returned', 'canceled', true, { kind: 'contradiction' }],
    ['processing', 'returned', true, { kind: 'moved', through: ['settled', 'returned'] }],
    ['processing', 'processing', true, { kind: 'repeat' }],
    ['settled', 'processing', true, { kind: 'late' }],
  ] as const)('%s reported as %s, with returns = %j, is %j (INS-12)', (from, to, canReturn, expected) => {
    expect(transitionOf(from, to, canReturn)).toEqual(expected);
  });

  it('keeps the newest 50 reports (INS-16)', () => {
    let reports: ReturnType<typeof withReport> = [];
    for (let index = 0; index < 60; index++)
      reports = withReport(reports, { stage: 'processing', at: String(index) });
    expect([reports.length, reports[0]?.at, reports.at(-1)?.at]).toEqual([50, '10', '59']);
  });
});

describe('the server code', () => {
  it('compares names of instruments only in the registry and the adapters (INS-1)', () => {
    const names = Object.keys(instruments).filter((name) => name !== 'card' && name !== 'link');
    const compared = new RegExp(`(===|!==|case) '(${names.join('|')})'`);
    const isAllowed = (file: string): boolean =>
      file.startsWith('providers/') || file.startsWith('domain/payments/instruments/');
    expect(files.filter((file) => !isAllowed(file) && compared.test(code(file)))).toEqual([]);
  });
});
