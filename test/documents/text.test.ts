import { describe, expect, test } from 'vitest';
import { fontRuns } from '../../src/documents/fonts.ts';
import { readable, stretches, wrapped } from '../../src/documents/text.ts';

const byLength = (text: string): number => [...text].length;

describe('readable text', () => {
  test.each([
    ['plain text', 'plain text'],
    ['two\n\tlines \u00a0 here', 'two lines here'],
    ['e\u0301tude', 'étude'],
    ['turned \u202eback\u202c', 'turned back'],
    ['bell \u0007 and mark\ufeff', 'bell and mark'],
    ['น้ำ', 'น\u0E4D\u0E49\u0E32'],
    ['', ''],
    ['   ', ''],
  ])('of %j is %j', (text, shown) => {
    expect(readable(text).replaceAll('  ', ' ')).toBe(shown);
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
    // A stop never begins a line.
    ['一二三四五六七八九十。一二', ['一二三四五六七八九', '十。一二']],
    ['ภาษาไทยเขียน', ['ภาษาไทย', 'เขียน']],
    // The second line goes on from right to left, although it begins with Latin emails.
    ['שלום עולם Pro plan', ['שלום עולם', '\u200FPro plan']],
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

describe('the order stretches are drawn in', () => {
  test.each([
    ['left to right', ['left to right']],
    ['שלום עולם', ['<שלום עולם']],
    ['Plan שלום עולם yearly', ['Plan ', '<שלום עולם', ' yearly']],
    ['שלום Plan Pro עולם', ['< עולם', 'Plan Pro', '<שלום ']],
    ['שלום (12)', ['<(', '12', '<שלום )']],
    ['\u200FPro שלום', ['< שלום', 'Pro']],
    ['', []],
  ])('of %j is %j', (text, drawn) => {
    expect(stretches(text).map((one) => `${one.rightToLeft ? '<' : ''}${one.text}`)).toEqual(drawn);
  });
});

describe('the font', () => {
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
  ])('of %j is of %j', (text, expected) => {
    expect(families(text)).toEqual(expected);
  });

  test('of Han characters follows the country, until the text shows another', () => {
    expect([families('東京', 'jp'), families('臺北', 'tc'), families('東京タワー', 'tc')]).toEqual([
      ['noto-sans-jp'],
      ['noto-sans-tc'],
      ['noto-sans-jp'],
    ]);
  });

  test('is one for what people see as one sign; what none has is replaced by one mark', () => {
    expect(fontRuns('🧑‍💻', 'sc')).toHaveLength(1);
    expect(fontRuns('a\u{10FFFD}b\u{1E900}', 'sc').map(({ text }) => text)).toEqual(['a\uFFFDb\uFFFD']);
  });
});
