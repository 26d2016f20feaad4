import { describe, expect, test } from 'vitest';
import { customerKeys, foldEmail, foldText } from '../../src/domain/text/folding.ts';

describe("an email address's comparison key (PLT-20a)", () => {
  test.each([
    ['Hello@Website.nl', 'hello@website.nl'],
    ['HELLO@WEBSITE.NL', 'hello@website.nl'],
    // Dotted and dotless i are different letters. No locale maps I to ı.
    ['ISTANBUL@shop.test', 'istanbul@shop.test'],
    ['İstanbul@shop.test', 'i̇stanbul@shop.test'],
    ['ıstanbul@shop.test', 'ıstanbul@shop.test'],
    ['STRAẞE@shop.test', 'straße@shop.test'],
    ['strasse@shop.test', 'strasse@shop.test'],
    ['\u2126@shop.test', 'ω@shop.test'],
    ['ΟΔΟΣ@shop.test', 'οδοσ@shop.test'],
    ['οδος@shop.test', 'οδοσ@shop.test'],
    // The same accent in two encodings.
    ['U\u0308NI@shop.test', 'üni@shop.test'],
    ['uni@shop.test', 'uni@shop.test'],
  ])('maps %s to %s', (email, key) => {
    expect(foldEmail(email)).toBe(key);
    expect(foldEmail(key)).toBe(key);
  });
});

describe("a string's search key (GLO-5b)", () => {
  test.each([
    ['Ünal Şükrü', 'unal sukru'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['ẞ', 'ss'],
    ['Œuvre', 'oeuvre'],
    ['naïve', 'naive'],
    ['İSTANBUL', 'istanbul'],
    ['ısı', 'isi'],
    ['Łódź', 'lodz'],
    ['Đường Nguyễn', 'duong nguyen'],
    ['ОЛЬГА Ёлкина', 'ольга елкина'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['李雷', '李雷'],
    ['김민', '김민'],
    // Half-width kana, and a voicing mark that distinguishes words.
    ['ｶﾞｽ', 'ガス'],
    ['ＡＢＣ％', 'abc%'],
    ['कंपनी', 'कंपनी'],
    ['ก่อน', 'ก่อน'],
  ])('maps %s to %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('ignores case, and is equal to its own search key', () => {
    const differing: string[] = [];
    for (let code = 0; code < 0x1_10000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldText(letter);
      // In Ancient Greek, the iota below a letter becomes a separate letter in uppercase.
      const isIota = letter.normalize('NFD').includes('\u0345');
      if (foldText(folded) !== folded || (!isIota && foldText(letter.toUpperCase()) !== folded))
        differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });

  test("keeps a customer's fields on separate lines, so that a query matches only within one field", () => {
    expect(customerKeys({ email: 'A@b.test', fullName: 'Ünal', externalId: null })).toEqual({
      emailKey: 'a@b.test',
      searchText: 'unal\na@b.test',
    });
    expect(customerKeys({ email: 'a@b.test', fullName: '', externalId: 'X-1' }).searchText).toBe(
      '\na@b.test\nx-1',
    );
  });
});
