import { describe, expect, it } from 'vitest';
import { type LimitWindow, limitWindow } from '../../../src/domain/limits/limit.ts';
import { openedSpan, type Span, spanAt } from '../../../src/domain/limits/windows.ts';

const ms = (text: string): number => Date.parse(text);
const shown = (span: Span | null) =>
  span === null
    ? null
    : [new Date(span.start).toISOString(), span.end === null ? null : new Date(span.end).toISOString()];

const detailsIn = (timeZone: string) => ({
  timeZone,
  usageWindow: { start: ms('2027-05-02T00:00:00Z'), end: ms('2027-06-02T00:00:00Z') },
  billingPeriod: { start: ms('2027-05-02T00:00:00Z'), end: ms('2028-05-02T00:00:00Z') },
});

const at = (window: LimitWindow, time: string, timeZone = 'UTC', last: Span | null = null) =>
  shown(spanAt(window, detailsIn(timeZone), ms(time), last));

const day = limitWindow('day');

const hourMs = 3_600_000;
const twoYears = { start: ms('2027-01-01T12:00:00Z'), end: ms('2029-01-01T12:00:00Z') };

/** Time zones, with the lengths in hours of the days of a year on which the clocks change. */
const zones: readonly (readonly [zone: string, lengths: readonly number[]])[] = [
  ['UTC', []],
  ['America/Sao_Paulo', []],
  ['America/Bogota', []],
  ['America/New_York', [23, 25]],
  ['Europe/Madrid', [23, 25]],
  ['Europe/Kyiv', [23, 25]],
  ['Africa/Cairo', [23, 25]],
  ['Asia/Kolkata', []],
  ['Asia/Tokyo', []],
  ['Australia/Lord_Howe', [24.5, 23.5]],
  ['Pacific/Auckland', [25, 23]],
  ['Pacific/Apia', []],
];

describe('calendar windows', () => {
  it.each([
    ['America/Sao_Paulo', '2027-05-03T02:30:00Z', '2027-05-02T03:00:00.000Z', '2027-05-03T03:00:00.000Z'],
    ['Europe/Madrid', '2027-03-28T12:00:00Z', '2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
    ['Europe/Madrid', '2027-10-31T12:00:00Z', '2027-10-30T22:00:00.000Z', '2027-10-31T23:00:00.000Z'],
    ['Asia/Kolkata', '2027-05-03T18:30:00Z', '2027-05-03T18:30:00.000Z', '2027-05-04T18:30:00.000Z'],
    ['Asia/Kolkata', '2027-05-03T18:29:59.999Z', '2027-05-02T18:30:00.000Z', '2027-05-03T18:30:00.000Z'],
  ])('starts a day at local midnight in %s at %s (LIM-E8)', (zone, time, start, end) => {
    expect(at(day, time, zone)).toEqual([start, end]);
  });

  it.each([
    ['Asia/Tokyo', '2027-05-05T15:00:00.000Z'],
    ['Europe/Kyiv', '2027-05-04T21:00:00.000Z'],
  ])(
    'skips a boundary that is nearer than half a day after a move from Bogotá to %s (LIM-E8)',
    (zone, end) => {
      const last = { start: ms('2027-05-03T05:00:00Z'), end: ms('2027-05-04T05:00:00Z') };
      expect(at(day, '2027-05-04T04:59:59Z', zone, last)).toEqual([
        '2027-05-03T05:00:00.000Z',
        '2027-05-04T05:00:00.000Z',
      ]);
      expect(at(day, '2027-05-04T05:00:00Z', zone, last)).toEqual(['2027-05-04T05:00:00.000Z', end]);
    },
  );

  it('starts weeks on the given weekday, and months on the first', () => {
    const week = limitWindow('week');
    const fromSunday = limitWindow('week', { weekStart: 7 });
    const month = limitWindow('month', { timeZone: 'America/New_York' });
    const friday = '2027-05-07T12:00:00Z';
    expect(at(week, friday)).toEqual(['2027-05-03T00:00:00.000Z', '2027-05-10T00:00:00.000Z']);
    expect(at(fromSunday, friday)).toEqual(['2027-05-02T00:00:00.000Z', '2027-05-09T00:00:00.000Z']);
    expect(at(month, friday)).toEqual(['2027-05-01T04:00:00.000Z', '2027-06-01T04:00:00.000Z']);
  });

  it.each(zones)('covers two years in %s without gaps, with days of %o hours (LIM-32)', (zone, lengths) => {
    for (const kind of ['day', 'week', 'month'] as const) {
      const window = limitWindow(kind);
      let span = spanAt(window, detailsIn(zone), twoYears.start, null);
      const hours: number[] = [];
      while (span?.end != null && span.end <= twoYears.end) {
        hours.push((span.end - span.start) / hourMs);
        const next: Span | null = spanAt(window, detailsIn(zone), span.end, span);
        expect(next?.start).toBe(span.end);
        expect(next).toEqual(spanAt(window, detailsIn(zone), span.end, null));
        span = next;
      }
      if (kind !== 'day') continue;
      expect(hours.length).toBeGreaterThanOrEqual(729);
      expect(hours.filter((length) => length !== 24)).toEqual([...lengths, ...lengths]);
    }
  });

  it.each([
    ['day', 24],
    ['week', 7 * 24],
    ['month', 30 * 24],
  ] as const)(
    'never shortens a %s below half of its length when the time zone changes at any hour of two years (LIM-33)',
    (kind, nominal) => {
      const window = limitWindow(kind);
      const open = (zone: string, at: number, last: Span | null): { start: number; end: number } => {
        const span = spanAt(window, detailsIn(zone), at, last);
        if (span?.end == null) throw new Error('A calendar window has an end.');
        return { ...span, end: span.end };
      };
      let skipped = 0;
      const isSame = (one: Span, other: Span): boolean => one.start === other.start && one.end === other.end;
      // Collects the faults, because many assertions are slow.
      const faults: unknown[] = [];
      for (let hour = 0; hour < 2 * 365 * 24; hour++) {
        const at = twoYears.start + hour * hourMs;
        // Each of the 132 pairs of zones changes at each hour of a day.
        const pair = Math.floor(hour / 24);
        const index = pair % zones.length;
        const from = zones[index]?.[0] ?? '';
        const offset = 1 + (Math.floor(pair / zones.length) % (zones.length - 1));
        const to = zones[(index + offset) % zones.length]?.[0] ?? '';
        const current = open(from, at, null);
        // The change has no effect on the open window.
        const isKept = [at, current.end - 1].every((time) => isSame(open(to, time, current), current));
        const next = open(to, current.end, current);
        const length = (next.end - next.start) / hourMs;
        // A month has up to 31 days, and clocks change by an hour.
        const isLong = length >= nominal / 2 && length < nominal * 1.5 + 25;
        // The window ends at a boundary of the new zone, of which at most the first is skipped.
        const first = open(to, current.end, null).end;
        const isRegular = next.end === first || next.end === open(to, first, null).end;
        const after = open(to, next.end, null);
        const isFollowed = after.start === next.end && isSame(open(to, next.end, next), after);
        if (!isKept || next.start !== current.end || !isLong || !isRegular || !isFollowed)
          faults.push([from, to, shown(next)]);
        if (next.end !== first) skipped++;
      }
      expect(faults).toEqual([]);
      expect(skipped).toBeGreaterThan(0);
    },
  );
});

describe('other windows', () => {
  const minutes = 7 * 24 * 60;

  it('resets fixed weeks on the hour of the anchor (LIM-E7)', () => {
    const window = limitWindow('fixed', { minutes, anchor: '2027-05-05T14:00:00.000Z' });
    const uses = ['2027-05-05T14:00:00Z', '2027-05-13T09:00:00Z', '2027-05-21T09:00:00Z'];
    expect(uses.map((use) => at(window, use)?.[1])).toEqual([
      '2027-05-12T14:00:00.000Z',
      '2027-05-19T14:00:00.000Z',
      '2027-05-26T14:00:00.000Z',
    ]);
  });

  it('starts a session with the first use after the previous session', () => {
    const window = limitWindow('session', { minutes });
    let last: Span | null = null;
    const ends = ['2027-05-05T14:00:00Z', '2027-05-13T09:00:00Z', '2027-05-21T09:00:00Z'].map((use) => {
      const current = spanAt(window, detailsIn('UTC'), ms(use), last);
      expect(current).toBeNull();
      last = openedSpan(window, current, ms(use));
      return shown(last)?.[1];
    });
    expect(ends).toEqual([
      '2027-05-12T14:00:00.000Z',
      '2027-05-20T09:00:00.000Z',
      '2027-05-28T09:00:00.000Z',
    ]);
  });

  it("returns the subscription's windows", () => {
    const time = '2027-05-20T00:00:00Z';
    expect(at(limitWindow('usage_window'), time)?.[1]).toBe('2027-06-02T00:00:00.000Z');
    expect(at(limitWindow('billing_period'), time)?.[1]).toBe('2028-05-02T00:00:00.000Z');
    expect(at(limitWindow('lifetime'), time)?.[1]).toBeNull();
    expect(at(limitWindow('event'), time)).toBeNull();
  });
});
