import { type Language, tagOf } from '../text/language.ts';

/**
 * Second letters of the codes, grouped by the first letter: `ADE` stands for `AD` and `AE`. Pages load the list, and the grouped list is 0.4 KB
 * smaller after compression. The codes are ISO 3166-1 alpha-2 codes, and `XK` for Kosovo. `XK` isn't officially assigned, but the European Union
 * and payment providers use it.
 */
const codes = `ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR GABDEFGHILMNPQRSTUWY
HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ NACEFGILOPRUZ OM PAEFGHKLMNRSTWY
QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ VACEGINU WFS XK YET ZAMW`;

/**
 * Countries and territories for addresses, tax registrations, and markets: uppercase ISO 3166-1 alpha-2
 * codes, sorted.
 */
export const countryCodes: readonly string[] = codes
  .split(/\s/)
  .flatMap(([first, ...seconds]) => seconds.map((second) => `${first}${second}`));

/** Alternative country codes: reserved codes, prefixes of tax IDs, and codes of former country names. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['XI', 'GB'],
  ['EL', 'GR'],
  ['BU', 'MM'],
  ['DD', 'DE'],
  ['DY', 'BJ'],
  ['FX', 'FR'],
  ['HV', 'BF'],
  ['NH', 'VU'],
  ['RH', 'ZW'],
  ['TP', 'TL'],
  ['VD', 'VN'],
  ['YD', 'YE'],
  ['ZR', 'CD'],
]);

let codesByName: ReadonlyMap<string, string> | null = null;

/** Returns the country code for an English country name in uppercase. Reads the names on the first call, because pages only need the codes. */
function codeByName(name: string): string | undefined {
  if (codesByName === null) {
    const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    codesByName = new Map(
      countryCodes.flatMap((code): [string, string][] => {
        const name = english.of(code);
        return name === undefined ? [] : [[name.toUpperCase(), code]];
      }),
    );
  }
  return codesByName.get(name);
}

/**
 * Returns the country code for an alias, a lowercase code, or an English country name. `null` if there is no
 * match.
 */
function codeForText(text: string): string | null {
  const word = text.trim().toUpperCase();
  return countryCodes.includes(word) ? word : (aliases.get(word) ?? codeByName(word) ?? null);
}

/**
 * Returns the reason why a string isn't a country code, as a phrase that follows the field name. `null` if the code is
 * valid.
 */
export function countryViolation(text: string): string | null {
  if (countryCodes.includes(text)) return null;
  const meant = text.length > 100 ? null : codeForText(text);
  // Quotes only short, printable values in the message.
  const shown = /^[\p{L}\p{N} .'-]{1,40}$/u.test(text) ? `\`${text}\`` : 'This';
  if (meant === null) return `${shown} is not an upper-case ISO 3166-1 alpha-2 code`;
  return `${shown} is not an ISO 3166-1 code. Use ${meant}`;
}

export type Country = { readonly code: string; readonly name: string };

const listed = new Map<Language, readonly Country[]>();

/** Returns all countries with their names in a language, sorted according to that language. */
export function countriesIn(language: Language): readonly Country[] {
  const done = listed.get(language);
  if (done !== undefined) return done;
  const names = new Intl.DisplayNames(tagOf(language), { type: 'region' });
  const { compare } = new Intl.Collator(tagOf(language));
  const made = countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => compare(a.name, b.name));
  listed.set(language, made);
  return made;
}
