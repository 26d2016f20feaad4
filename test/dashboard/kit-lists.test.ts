import { describe, expect, it } from 'vitest';
import {
  fittingColumns,
  type GridColumn,
  gridTemplate,
  nextSort,
  shownColumns,
} from '../../src/dashboard/kit/grid/columns.ts';
import { type GridKey, gridAction } from '../../src/dashboard/kit/grid/keys.ts';
import { range, toggled } from '../../src/dashboard/kit/grid/selection.ts';
import { datesOf } from '../../src/dashboard/kit/list/filter-dates.ts';
import { filterWords } from '../../src/dashboard/kit/list/filter-words.ts';
import {
  type Filter,
  type FilterField,
  filterFromText,
  filterText,
  isValid,
  withFilter,
  withoutFilter,
} from '../../src/dashboard/kit/list/filters.ts';
import { listFromSearch, listToSearch } from '../../src/dashboard/kit/list/list-address.ts';
import type { Words } from '../../src/dashboard/words/words.ts';

// Imported through a computed path, because the browser's compiler doesn't include server code.
const file = 'messages';
const { messagesIn } = (await import(`../support/${file}.ts`)) as {
  readonly messagesIn: (folder: string, language: string, area: string) => Words['kit'];
};
const [en, es] = [messagesIn('dashboard', 'en', 'kit'), messagesIn('dashboard', 'es', 'kit')];

const options = ['active', 'past_due', 'a,b:c%'].map((value) => ({ value, label: value.toUpperCase() }));
const fields: readonly FilterField[] = [
  { id: 'status', label: 'Status', kind: 'choice', options },
  { id: 'kind', label: 'Kind', kind: 'choice', options, isSingle: true },
  { id: 'plan', label: 'Plan', kind: 'choice', options, isLoaded: true },
  { id: 'market', label: 'Market', kind: 'choice', options, isPartial: true, isLoaded: true },
  { id: 'email', label: 'Email', kind: 'text' },
  { id: 'property', label: 'Property', kind: 'text', isExact: true, pattern: /^\w+=\w+$/ },
  { id: 'seats', label: 'Seats', kind: 'number' },
  { id: 'amount', label: 'Amount', kind: 'money', currency: 'usd' },
  { id: 'created', label: 'Created', kind: 'date' },
  { id: 'live', label: 'Live', kind: 'boolean' },
];

const good: readonly (readonly [string, Filter])[] = [
  ['active', { field: 'status', comparison: 'is', values: ['active'] }],
  ['active,past_due', { field: 'status', comparison: 'is', values: ['active', 'past_due'] }],
  ['not:a%2Cb%3Ac%25', { field: 'status', comparison: 'not', values: ['a,b:c%'] }],
  ['active', { field: 'kind', comparison: 'is', values: ['active'] }],
  ['contains:@example.com', { field: 'email', comparison: 'contains', values: ['@example.com'] }],
  ['above:10', { field: 'seats', comparison: 'above', values: ['10'] }],
  ['between:-100,2500', { field: 'amount', comparison: 'between', values: ['-100', '2500'] }],
  ['last:30d', { field: 'created', comparison: 'last', values: ['30d'] }],
  ['since:2026-02-28', { field: 'created', comparison: 'since', values: ['2026-02-28'] }],
  ['true', { field: 'live', comparison: 'is', values: ['true'] }],
  ['not:past_due', { field: 'plan', comparison: 'not', values: ['past_due'] }],
  // The options of these fields load asynchronously, so any value is accepted.
  ['pln_1,pln_2', { field: 'plan', comparison: 'is', values: ['pln_1', 'pln_2'] }],
  ['mkt_1', { field: 'market', comparison: 'is', values: ['mkt_1'] }],
  ['request=r1', { field: 'property', comparison: 'is', values: ['request=r1'] }],
];

describe('the URL filter parser', () => {
  it.each(good)('parses and formats %s', (text, filter) => {
    expect(filterText(filter)).toBe(text);
    expect(filterFromText(filter.field, text, fields)).toEqual(filter);
    expect(isValid(filter, fields)).toBe(true);
  });

  it.each([
    ['status', 'unknown'],
    ['status', ''],
    ['status', 'above:active'],
    ['status', 'nonsense:active'],
    ['kind', 'active,past_due'],
    ['kind', 'not:active'],
    ['plan', 'not:pln_1'],
    ['plan', 'no id'],
    ['market', 'not:active'],
    ['property', 'request'],
    ['email', ''],
    ['seats', 'above:many'],
    ['seats', 'above:1.5'],
    ['amount', 'between:100'],
    ['amount', '99999999999999999999'],
    ['created', 'last:soon'],
    ['created', 'since:2026-02-30'],
    ['live', 'maybe'],
    ['nothing', 'active'],
  ])('ignores the invalid value %s=%s', (id, text) => {
    expect(filterFromText(id, text, fields)).toBeNull();
  });

  it('replaces a filter on the same field in place', () => {
    const [first, second] = [good[0]?.[1], good[4]?.[1]] as [Filter, Filter];
    const other = { ...first, values: ['past_due'] };
    expect(withFilter([first, second], other)).toEqual([other, second]);
    expect(withFilter([first], second)).toEqual([first, second]);
    expect(withoutFilter([first, second], 'status')).toEqual([second]);
  });
});

describe('the filter description', () => {
  it.each([
    [0, 'Status is ACTIVE', 'Status es ACTIVE'],
    [1, 'Status is ACTIVE or PAST_DUE', 'Status es ACTIVE o PAST_DUE'],
    [5, 'Seats is at least 10', 'Seats es como mínimo 10'],
    [6, 'Amount is between -$1.00 and $25.00', 'Amount está entre -1,00 US$ y 25,00 US$'],
    [7, 'Created in the last 30 days', 'Created en el último periodo de 30 días'],
    [8, 'Created since Feb 28, 2026', 'Created desde 28 feb 2026'],
    [9, 'Live is Yes', 'Live es Sí'],
    // The option's name hasn't loaded.
    [12, 'Market is …', 'Market es …'],
  ])('shows filter example %i as "%s"', (index, english, spanish) => {
    const filter = good[index]?.[1] as Filter;
    const field = fields.find(({ id }) => id === filter.field) as FilterField;
    expect(filterWords(filter, field, { locale: 'en-US', words: en })).toBe(english);
    expect(filterWords(filter, field, { locale: 'es-ES', words: es }).replaceAll('\u00a0', ' ')).toBe(
      spanish,
    );
  });
});

describe('the date range of a filter', () => {
  const now = new Date('2026-03-31T10:30:00Z');
  it.each<[Filter['comparison'], string[], { from?: string; until?: string }]>([
    ['last', ['24h'], { from: '2026-03-30T10:30:00.000Z', until: '2026-03-31T10:30:00.000Z' }],
    ['last', ['2w'], { from: '2026-03-17T10:30:00.000Z', until: '2026-03-31T10:30:00.000Z' }],
    ['last', ['1m'], { from: '2026-02-28T10:30:00.000Z', until: '2026-03-31T10:30:00.000Z' }],
    ['next', ['1m'], { from: '2026-03-31T10:30:00.000Z', until: '2026-04-30T10:30:00.000Z' }],
    ['since', ['2026-03-01'], { from: '2026-03-01T00:00:00.000Z' }],
    ['before', ['2026-03-01'], { until: '2026-03-01T00:00:00.000Z' }],
    [
      'between',
      ['2026-03-01', '2026-03-31'],
      { from: '2026-03-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' },
    ],
  ])('matches the filter %s %s', (comparison, values, dates) => {
    expect(datesOf({ field: 'created', comparison, values }, now)).toEqual(dates);
  });
});

const columns: readonly GridColumn<string>[] = [
  { id: 'name', title: 'Name', cell: (row) => row, isRequired: true, isSortable: true, width: 100, grow: 2 },
  { id: 'email', title: 'Email', cell: (row) => row },
  { id: 'id', title: 'ID', cell: (row) => row, isShown: false },
];

describe('the list state in a URL', () => {
  const shape = { fields, columns };

  it("is empty by default, and doesn't change when it's written to a URL and read again", () => {
    const first = listFromSearch({}, shape);
    expect(first).toEqual({ search: '', filters: [], sort: null, hidden: ['id'], at: 0 });
    expect(listToSearch(first, shape)).toEqual({});
    const state = {
      search: 'ada',
      filters: [good[1]?.[1] as Filter, good[7]?.[1] as Filter],
      sort: { column: 'name', direction: 'descending' as const },
      hidden: ['email'],
      at: 5_000,
    };
    const search = listToSearch(state, shape);
    expect(search).toEqual({
      q: 'ada',
      status: 'active,past_due',
      created: 'last:30d',
      sort: '-name',
      hide: 'email',
      at: '5000',
    });
    expect(listFromSearch(search, shape)).toEqual(state);
  });

  it('ignores invalid values', () => {
    const wrong = { sort: '-email', hide: 'nothing', at: '-5', status: 'unknown', other: 'x' };
    expect(listFromSearch(wrong, shape)).toEqual({ search: '', filters: [], sort: null, hidden: [], at: 0 });
  });
});

describe('a list column', () => {
  it("stays visible if it's required", () => {
    expect(shownColumns(columns, ['name', 'email']).map(({ id }) => id)).toEqual(['name', 'id']);
  });

  it('has the width specified in its definition', () => {
    expect(gridTemplate(columns, true, true)).toEqual({
      template: '40px minmax(100px, 2fr) 120px 120px 44px',
      least: 424,
    });
    expect(gridTemplate(columns.slice(1), false, false).template).toBe('120px 120px 1fr');
  });

  it('fits its longest amount, and drops other columns first if the list is narrow', () => {
    const cell = () => null;
    const list = [
      { id: 'name', title: 'Name', cell, width: 160, isRequired: true },
      { id: 'email', title: 'Email', cell, width: 130, phone: 'line' as const },
      { id: 'mrr', title: 'MRR', cell, width: 95, align: 'end' as const },
      { id: 'country', title: 'Country', cell },
      { id: 'created', title: 'Created', cell, width: 115 },
    ];
    const fitted = (width: number) =>
      fittingColumns(list, { mrr: 140 }, width).map(({ id, width: own }) => [id, own]);
    const all = [
      ['name', 160],
      ['email', 130],
      ['mrr', 140],
      ['country', undefined],
      ['created', 115],
    ];
    expect(fitted(0)).toEqual(all);
    expect(fitted(665)).toEqual(all);
    expect(fitted(664)).toEqual(all.slice(0, 4));
    expect(fitted(430)).toEqual(all.slice(0, 3));
    expect(fitted(300)).toEqual([all[0], all[2]]);
  });

  it('sorts ascending, then descending, then by default', () => {
    const up = nextSort(null, 'name');
    const down = nextSort(up, 'name');
    expect([up, down, nextSort(down, 'name'), nextSort(down, 'email')]).toEqual([
      { column: 'name', direction: 'ascending' },
      { column: 'name', direction: 'descending' },
      null,
      { column: 'email', direction: 'ascending' },
    ]);
  });
});

describe('a grid', () => {
  const shape = { rows: 1_000, columns: 4, page: 20, hasLetters: true };
  const key = (text: string): GridKey => {
    const parts = text.split('+');
    return {
      key: parts.at(-1) ?? '',
      ctrlKey: parts.includes('Ctrl'),
      metaKey: parts.includes('Meta'),
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
    };
  };
  const at = { row: 10, column: 1 };

  it.each([
    ['ArrowDown', 11, 1],
    ['ArrowUp', 9, 1],
    ['ArrowRight', 10, 2],
    ['ArrowLeft', 10, 0],
    ['j', 11, 1],
    ['k', 9, 1],
    ['Home', 10, 0],
    ['End', 10, 3],
    ['Ctrl+Home', 0, 0],
    ['Ctrl+End', 999, 3],
    ['Meta+ArrowDown', 999, 1],
    ['PageDown', 30, 1],
    ['PageUp', 0, 1],
  ])('moves the active cell with %s', (text, row, column) => {
    expect(gridAction(key(text), at, shape)).toEqual({ kind: 'move', to: { row, column }, selects: false });
  });

  it('stops at the edges, and moves into the header', () => {
    expect(gridAction(key('ArrowUp'), { row: 0, column: 0 }, shape)).toMatchObject({
      to: { row: -1, column: 0 },
    });
    expect(gridAction(key('ArrowDown'), { row: 999, column: 0 }, shape)).toMatchObject({ to: { row: 999 } });
    expect(gridAction(key('ArrowLeft'), { row: 0, column: 0 }, shape)).toMatchObject({ to: { column: 0 } });
    expect(gridAction(key('k'), { row: 0, column: 0 }, shape)).toMatchObject({ to: { row: 0 } });
  });

  it.each([
    ['Enter', 'open'],
    ['o', 'open'],
    ['x', 'select'],
    [' ', 'select'],
    ['.', 'menu'],
    ['Escape', 'clear'],
  ])('maps the key %j to %s', (text, kind) => {
    expect(gridAction(key(text), at, shape)).toEqual({ kind });
  });

  it('selects rows while the user moves with Shift, and sorts by keyboard in the header', () => {
    expect(gridAction(key('Shift+ArrowDown'), at, shape)).toMatchObject({ selects: true });
    expect(gridAction(key('Enter'), { row: -1, column: 0 }, shape)).toEqual({ kind: 'sort' });
    expect(gridAction(key('x'), { row: -1, column: 0 }, shape)).toBeNull();
  });

  it('ignores letters if shortcuts are turned off, and always ignores browser shortcuts', () => {
    for (const letter of ['j', 'k', 'o', 'x', '.'])
      expect(gridAction(key(letter), at, { ...shape, hasLetters: false })).toBeNull();
    for (const text of ['Ctrl+k', 'Meta+o', 'Alt+ArrowLeft', 'a', 'Tab'])
      expect(gridAction(key(text), at, shape)).toBeNull();
  });
});

describe('a row selection', () => {
  it('adds and removes single rows and ranges of loaded rows', () => {
    expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b']);
    expect([...toggled(new Set(['a']), 'a')]).toEqual([]);
    expect([...toggled(new Set(['a']), null)]).toEqual(['a']);
    const keyAt = (index: number) => (index === 3 ? null : `row ${index}`);
    expect([...range(new Set(['a']), 4, 2, keyAt)]).toEqual(['a', 'row 2', 'row 4']);
  });
});
