import { describe, expect, test } from 'vitest';
import { fontRuns } from '../../src/documents/fonts.ts';
import { readable, stretches, wrapped } from '../../src/documents/text.ts';

const byLength = (text: string): number => [...text].length;

describe('text cleanup', () => {
  test.each([
    ['plain text', 'plain text'],
    ['two\n\tlines \u00a0 here', 'two lines here'],
    ['e\u0301tude', 'étude'],
    ['turned \u202eback\u202c', 'turned back'],
    ['bell \u0007 and mark\ufeff', 'bell and mark'],
    ['น้ำ', 'น\u0E4D\u0E49\u0E32'],
    ['', ''],
    ['   ', ''],
  ])('replaces the text %j with %j', (text, shown) => {
    expect(readable(text).replaceAll('  ', ' ')).toBe(shown);
  });
});

describe('line wrapping', () => {
  test.each([
    ['short', ['short']],
    ['', ['']],
    ['one two three', ['one two', 'three']],
    ['exactly te', ['exactly te']],
    ['abcdefghijklmnopqrstuvwxyz', ['abcdefghij', 'klmnopqrst', 'uvwxyz']],
    ['to abcdefghijklm on', ['to', 'abcdefghij', 'klm on']],
    // A line can't begin with an ideographic full stop.
    ['一二三四五六七八九十。一二', ['一二三四五六七八九', '十。一二']],
    ['ภาษาไทยเขียน', ['ภาษาไทย', 'เขียน']],
    // The second line continues from right to left although it begins with Latin words.
    ['שלום עולם Pro plan', ['שלום עולם', '\u200FPro plan']],
  ])('splits %j into %j if ten characters fit on a line', (text, lines) => {
    expect(wrapped(text, 10, byLength)).toEqual(lines);
  });

  test('keeps combined characters together', () => {
    expect(wrapped('🇪🇸'.repeat(3), 4, byLength)).toEqual(['🇪🇸🇪🇸', '🇪🇸']);
  });

  test('splits text into single characters if the column is narrower than a character', () => {
    expect(wrapped('abc', 0, byLength)).toEqual(['a', 'b', 'c']);
  });
});

describe('bidirectional text', () => {
  test.each([
    ['left to right', ['left to right']],
    ['שלום עולם', ['<שלום עולם']],
    ['Plan שלום עולם yearly', ['Plan ', '<שלום עולם', ' yearly']],
    ['שלום Plan Pro עולם', ['< עולם', 'Plan Pro', '<שלום ']],
    ['שלום (12)', ['<(', '12', '<שלום )']],
    ['\u200FPro שלום', ['< שלום', 'Pro']],
    ['', []],
  ])('splits %j into runs in visual order: %j', (text, drawn) => {
    expect(stretches(text).map((one) => `${one.rightToLeft ? '<' : ''}${one.text}`)).toEqual(drawn);
  });
});

describe('font selection', () => {
  const families = (text: string, style: 'jp' | 'kr' | 'sc' | 'tc' = 'sc'): string[] => [
    ...new Set(fontRuns(text, style).map(({ part }) => part.split(' ')[0] ?? '')),
  ];

  test.each([
    ['Ωμέγα Привет Łódź ş עברית العربية ₪ ₹ ฿', ['base']],
    ['日本語のサンプル', ['noto-sans-jp']],
    ['한국어', ['noto-sans-kr']],
    ['中文', ['noto-sans-sc']],
    ['ไทย', ['noto-sans-thai']],
    ['हिन्दी', ['noto-sans-devanagari']],
    ['🎉👩‍🚀🇪🇸', ['noto-emoji']],
  ])('selects fonts for the text %j: %j', (text, expected) => {
    expect(families(text)).toEqual(expected);
  });

  test('chooses a font for Han characters by country unless the text indicates another language', () => {
    expect([families('東京', 'jp'), families('臺北', 'tc'), families('東京タワー', 'tc')]).toEqual([
      ['noto-sans-jp'],
      ['noto-sans-tc'],
      ['noto-sans-jp'],
    ]);
  });

  test('uses one font for combined characters, and replaces missing characters', () => {
    expect(fontRuns('🧑‍💻', 'sc')).toHaveLength(1);
    expect(fontRuns('a\u{10FFFD}b\u{1E900}', 'sc').map(({ text }) => text)).toEqual(['a\uFFFDb\uFFFD']);
  });
});
