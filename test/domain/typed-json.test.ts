import { describe, expect, it } from 'vitest';
import { fromTypedJson, typedJson } from '../../src/domain/text/typed-json.ts';

describe('typed JSON', () => {
  it.each([
    [null],
    ['text'],
    [12.5],
    [true],
    [undefined],
    [9_007_199_254_740_993n],
    [new Date('2026-03-02T09:00:00.123Z')],
    [[1n, [new Date(0)], { a: null }]],
    [{ at: new Date(0), amount: 5n, metadata: { $: 'bigint', value: 'own key' } }],
    [new Map([['a', { at: new Date(0) }]])],
    [new Set([1n, 'b'])],
  ])('keeps the type of value %#', (value) => {
    expect(fromTypedJson(typedJson(value))).toEqual(value);
  });

  it('omits undefined members', () => {
    expect(typedJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([[() => 1], [Symbol('s')], [new URL('https://example.com')], [Number.NaN]])(
    'rejects values without a JSON form: %s',
    (value) => {
      expect(() => typedJson({ value })).toThrow("A value can't be stored");
    },
  );
});
