import { describe, expect, it } from 'vitest';
import { changesOf } from '../../src/dashboard/kit/changes.ts';
import {
  axisLabels,
  bars,
  distinctTicks,
  linePath,
  pointPlace,
  sparkRange,
  stacked,
  valueScale,
  valueTicks,
  waterfallSpans,
} from '../../src/dashboard/kit/charts/geometry.ts';
import { isHit, jsonLines } from '../../src/dashboard/kit/json-tree.ts';
import type { Words } from '../../src/dashboard/words/words.ts';

// Imported through a computed path, because the browser's compiler doesn't include server code.
const file = 'messages';
const { messagesIn } = (await import(`../support/${file}.ts`)) as {
  readonly messagesIn: (folder: string, language: string, area: string) => Words['kit'];
};
const [en, es] = [messagesIn('dashboard', 'en', 'kit'), messagesIn('dashboard', 'es', 'kit')];

describe('a chart', () => {
  it('stacks positive values upward and negative values downward from zero', () => {
    const series = [
      { id: 'a', label: 'A', values: [3, 1] },
      { id: 'b', label: 'B', values: [2, -4] },
      { id: 'c', label: 'C', values: [null, -1] },
    ];
    expect(stacked(series, 2)).toEqual([
      [
        [0, 3],
        [0, 1],
      ],
      [
        [3, 5],
        [0, -4],
      ],
      [
        [5, 5],
        [-4, -5],
      ],
    ]);
  });

  it('scales from zero to a rounded value', () => {
    const scale = valueScale([[0, 930]], 100);
    expect([scale(0), scale(1_000), valueTicks(scale)]).toEqual([100, 0, [0, 200, 400, 600, 800, 1_000]]);
    expect(valueTicks(valueScale([], 100))).toEqual([0, 1]);
  });

  it('gives each tick a distinct label', () => {
    const inDollars = (cents: number) => `$${Math.round(cents / 100)}`;
    expect(distinctTicks(valueScale([], 100), inDollars)).toEqual([0]);
    expect(distinctTicks(valueScale([[0, 200]], 100), inDollars)).toEqual([0, 50, 150]);
    expect(distinctTicks(valueScale([[0, 930]], 100), String)).toEqual([0, 200, 400, 600, 800, 1_000]);
  });

  it('places points from edge to edge, and bars within the edges', () => {
    expect([0, 1, 2].map((index) => pointPlace(index, 3, 200))).toEqual([0, 100, 200]);
    expect(pointPlace(0, 1, 200)).toBe(100);
    const { placeOf, band } = bars(4, 400);
    expect(placeOf(0)).toBeGreaterThan(0);
    expect(placeOf(3) + band).toBeLessThan(400);
  });

  it('leaves gaps for missing values', () => {
    const path = linePath(
      [1, null, 3, 4],
      (index) => index,
      (value) => value,
    );
    expect(path.match(/M/g)).toHaveLength(2);
  });

  const labelsAt = (labels: string[], boundaries: (string | null)[], width: number) =>
    axisLabels({
      labels,
      boundaries,
      placeOf: (index) => pointPlace(index, labels.length, width),
      width,
    });

  it('labels as many points as fit, including the last point', () => {
    const months = (count: number) => Array.from({ length: count }, () => 'Oct 2026');
    const none = (count: number) => Array.from({ length: count }, () => null);
    const indexes = (count: number) => labelsAt(months(count), none(count), 480).map(({ index }) => index);
    expect(indexes(12)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(indexes(3)).toEqual([0, 1, 2]);
    expect(indexes(0)).toEqual([]);
    expect(labelsAt(months(3), none(3), 480).map(({ isLast }) => isLast)).toEqual([false, false, true]);
  });

  it('labels the points at boundaries, and omits labels that would touch a later label', () => {
    const days = Array.from({ length: 31 }, (_, index) => `Jan ${index + 1}, 2027`);
    const mondays = days.map((_, index) => (index % 7 === 3 ? `Jan ${index + 1}` : null));
    expect(labelsAt(days, mondays, 900).map(({ text }) => text)).toEqual([
      'Jan 4',
      'Jan 11',
      'Jan 18',
      'Jan 25',
    ]);
    expect(labelsAt(days, mondays, 150).map(({ text }) => text)).toEqual(['Jan 11', 'Jan 25']);
  });

  it('shows changes of a sparkline below 10% of the largest value as small changes', () => {
    expect(sparkRange([100, 96])).toEqual([93, 103]);
    expect(sparkRange([0, 100])).toEqual([0, 100]);
    expect(sparkRange([0, 0, 0])).toEqual([-1, 1]);
  });

  it('connects each total to the next in a waterfall', () => {
    const steps = [
      { id: 'a', label: 'A', value: 100, isTotal: true },
      { id: 'b', label: 'B', value: 30 },
      { id: 'c', label: 'C', value: -50 },
      { id: 'd', label: 'D', value: 80, isTotal: true },
    ];
    expect(waterfallSpans(steps)).toEqual([
      [0, 100],
      [100, 130],
      [130, 80],
      [0, 80],
    ]);
  });
});

describe('the JSON viewer', () => {
  const value = { id: 'cus_1', tags: ['a', { 'odd name': null }], live: true, count: 2 };

  it('shows a line with a path for each value', () => {
    expect(jsonLines(value).map(({ path, text, size }) => [path, text, size])).toEqual([
      ['$', '', 4],
      ['$.id', '"cus_1"', 0],
      ['$.tags', '', 2],
      ['$.tags[0]', '"a"', 0],
      ['$.tags[1]', '', 1],
      ['$.tags[1]["odd name"]', 'null', 0],
      ['$.live', 'true', 0],
      ['$.count', '2', 0],
    ]);
  });

  it('omits lines of collapsed values, and finds lines by search text', () => {
    const lines = jsonLines(value, (path) => path === '$.tags');
    expect(lines.map(({ path }) => path)).toEqual(['$', '$.id', '$.tags', '$.live', '$.count']);
    expect(
      jsonLines(value)
        .filter((line) => isHit(line, 'ODD'))
        .map(({ path }) => path),
    ).toEqual(['$.tags[1]["odd name"]']);
    expect(lines.some((line) => isHit(line, ''))).toBe(false);
  });
});

describe("an object's list of changes", () => {
  it('lists the changes by path', () => {
    const before = {
      name: 'Start',
      price: { minor: 100, currency: 'usd' },
      tags: ['a'],
      gone: 1,
      same: { a: 1 },
    };
    const after = {
      name: 'Scale',
      price: { minor: 200, currency: 'usd' },
      tags: ['a', 'b'],
      same: { a: 1 },
      added: null,
    };
    expect(changesOf(before, after)).toEqual([
      { path: 'name', before: 'Start', after: 'Scale' },
      { path: 'price.minor', before: 100, after: 200 },
      { path: 'tags', before: ['a'], after: ['a', 'b'] },
      { path: 'gone', before: 1 },
      { path: 'added', after: null },
    ]);
    expect(changesOf(before, before)).toEqual([]);
  });
});

describe('the component kit', () => {
  it('has a Spanish translation for each message', () => {
    const texts = (words: object): [string, string][] =>
      Object.entries(words).flatMap(([key, text]) =>
        typeof text === 'object'
          ? texts(text)
          : typeof text === 'string'
            ? [[key, text] as [string, string]]
            : [],
      );
    const translated = new Map(texts(es));
    // Keys of messages that are identical in both languages.
    const same = ['no', 'total'];
    const untranslated = texts(en).filter(
      ([key, text]) => translated.get(key) === text && !same.includes(key),
    );
    expect(untranslated).toEqual([]);
    expect([en.selected({ count: 2 }), es.selected({ count: 1 }), es.selected({ count: 2 })]).toEqual([
      '2 selected',
      '1 seleccionado',
      '2 seleccionados',
    ]);
  });
});
