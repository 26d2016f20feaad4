import { describe, expect, it } from 'vitest';
import { anomalyKey } from '../../../src/domain/limits/anomaly.ts';
import { limitWindow } from '../../../src/domain/limits/limit.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { LimitStory, limitOf } from '../../support/limits.ts';

const daily = limitOf({
  measure: 'units',
  amount: null,
  action: 'notify',
  window: limitWindow('day'),
  anomaly: { factor: 3, minimum: 100 },
});

/** Returns the unusual values that amounts on days of May 2027 report: the day, the value, and the highest usual value. */
function reported(story: LimitStory, days: readonly (readonly [day: number, ...amounts: string[]])[]) {
  return days.flatMap(([day, ...amounts]) =>
    amounts.flatMap((amount, index) =>
      story
        .move(`2027-05-${String(day).padStart(2, '0')}T1${index}:00:00Z`, amount)
        .crossings.filter(({ kind }) => kind === 'anomaly')
        .map(({ value, crossed, unusual }) => [
          day,
          exactText(value),
          exactText(crossed[0] ?? value),
          unusual === undefined ? null : exactText(unusual.median),
        ]),
    ),
  );
}

/** Usage on the first days of May, in order. */
const first = (...amounts: readonly string[]) =>
  amounts.map((amount, index) => [index + 1, amount] as readonly [number, string]);

const week = first('40', '50', '30', '45', '20', '60', '40');

describe('unusual values of a day', () => {
  it.each([
    ['above the factor times the median', [8, '121'] as const, [[8, '121', '120', '40']]],
    ['at the factor times the median', [8, '120'] as const, []],
    ['in two movements', [8, '100', '20.5', '30'] as const, [[8, '120.5', '120', '40']]],
    ['after a day without usage', [10, '121'] as const, [[10, '121', '120', '40']]],
  ])('%s', (_name, day, expected) => {
    expect(reported(new LimitStory([daily]), [...week, day])).toEqual(expected);
  });

  it('are reported only after seven days with usage', () => {
    expect(reported(new LimitStory([daily]), [...week.slice(1), [8, '1000']])).toEqual([]);
  });

  it('are reported only above the minimum', () => {
    const low = first('1', '1', '1', '1', '1', '1', '1');
    expect(reported(new LimitStory([daily]), [...low, [8, '100'], [9, '101']])).toEqual([
      [9, '101', '100', '1'],
    ]);
  });

  it('count in the median of later days, of which the last 28 are kept', () => {
    const story = new LimitStory([daily]);
    const month = Array.from({ length: 28 }, (_, day): [number, string] => [
      day + 1,
      day < 14 ? '500' : '50',
    ]);
    expect(reported(story, [...month, [29, '826'], [30, '60'], [31, '166']])).toEqual([
      [29, '826', '825', '275'],
      [31, '166', '165', '55'],
    ]);
    const [gauge] = Object.values(story.details.states.get('cus_1')?.gauges ?? {});
    expect(gauge?.days).toHaveLength(28);
    expect(gauge?.days?.at(-1)).toBe('60');
  });

  it('are reported once a day for each limit of a gauge', () => {
    const strict = { ...daily, id: 'lim_2', anomaly: { factor: 2, minimum: 0 } };
    const story = new LimitStory([daily, strict]);
    expect(reported(story, [...week, [8, '90', '40', '1']])).toEqual([
      [8, '90', '80', '40'],
      [8, '130', '120', '40'],
    ]);
    expect(Object.keys(story.details.states.get('cus_1')?.reached ?? {}).sort()).toEqual(
      [anomalyKey('lim_1'), anomalyKey('lim_2')].sort(),
    );
  });

  it('keep the days of a gauge that other limits share', () => {
    const cap = limitOf({ ...daily, id: 'lim_0', anomaly: null, amount: 1_000n, action: 'block' });
    expect(reported(new LimitStory([daily, cap]), [...week, [8, '121']])).toEqual([[8, '121', '120', '40']]);
    expect(reported(new LimitStory([cap]), [...week, [8, '121']])).toEqual([]);
  });

  it('follow the local days of the customer', () => {
    const story = new LimitStory([daily]);
    story.timeZone = 'America/Sao_Paulo';
    reported(story, week);
    const at = (time: string, amount: string) => story.move(time, amount).crossings.map(({ kind }) => kind);
    expect(at('2027-05-09T02:30:00Z', '100')).toEqual([]);
    expect(at('2027-05-09T03:30:00Z', '100')).toEqual([]);
    expect(at('2027-05-10T02:30:00Z', '51')).toEqual(['anomaly']);
  });
});
