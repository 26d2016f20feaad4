import { describe, expect, test } from 'vitest';
import { drawnWords, readable, wrapped } from '../../src/documents/text.ts';

const latin = (code: number): boolean => code < 0x250;
const byLength = (text: string): number => [...text].length;

describe('readable text', () => {
  test.each([
    ['plain text', 'plain text'],
    ['two\n\tlines \u00a0 here', 'two lines here'],
    ['e\u0301tude', 'étude'],
    ['before 😀 after', 'before \uFFFD after'],
    ['one sign 🧑‍💻 and a flag 🇪🇸', 'one sign \uFFFD and a flag \uFFFD'],
    ['turned \u202eback\u202c', 'turned back'],
    ['bell \u0007 and mark\ufeff', 'bell and mark'],
    ['', ''],
    ['   ', ''],
  ])('of %j is %j', (text, shown) => {
    expect(readable(text, latin).replaceAll('  ', ' ')).toBe(shown);
  });
});

describe('lines of ten signs', () => {
  test.each([
    ['short', ['short']],
    ['', ['']],
    ['one two three', ['one two', 'three']],
    ['exactly te', ['exactly te']],
    ['abcdefghijklmnopqrstuvwxyz', ['abcdefghij', 'klmnopqrst', 'uvwxyz']],
    ['to abcdefghijklm on', ['to', 'abcdefghij', 'klm on']],
  ])('of %j are %j', (text, lines) => {
    expect(wrapped(text, 10, byLength)).toEqual(lines);
  });

  test('never part what is seen as one sign', () => {
    expect(wrapped('🇪🇸'.repeat(3), 4, byLength)).toEqual(['🇪🇸🇪🇸', '🇪🇸']);
  });

  test('of a sign wider than the column end all the same', () => {
    expect(wrapped('abc', 0, byLength)).toEqual(['a', 'b', 'c']);
  });
});

describe('the order words are drawn in', () => {
  test.each([
    ['left to right', ['left to right']],
    ['שלום עולם', ['עולם', 'שלום']],
    ['Plan שלום עולם yearly', ['Plan', 'עולם', 'שלום', 'yearly']],
    ['שלום Plan Pro עולם', ['עולם', 'Plan', 'Pro', 'שלום']],
    ['', ['']],
  ])('of %j is %j', (text, drawn) => {
    expect(drawnWords(text)).toEqual(drawn);
  });
});
