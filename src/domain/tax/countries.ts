import { type Language, tagOf } from '../text/language.ts';

/**
 * ISO 3166-1 alpha-2 codes, and `XK` for Kosovo. `XK` isn't officially assigned, but the European Union and
 * payment providers use it.
 */
const codes = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM
CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR
MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL
SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`;

/**
 * Countries and territories for addresses, tax registrations, and markets: uppercase ISO 3166-1 alpha-2
 * codes, sorted.
 */
export const countryCodes: readonly string[] = codes.split(/\s/);

const known: ReadonlySet<string> = new Set(countryCodes);

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

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const codeByName: ReadonlyMap<string, string> = new Map(
  countryCodes.flatMap((code): [string, string][] => {
    const name = english.of(code);
    return name === undefined ? [] : [[name.toUpperCase(), code]];
  }),
);

/**
 * Returns the country code for an alias, a lowercase code, or an English country name. `null` if there is no
 * match.
 */
function codeForText(text: string): string | null {
  const word = text.trim().toUpperCase();
  return known.has(word) ? word : (aliases.get(word) ?? codeByName.get(word) ?? null);
}

/**
 * Returns the reason why a string isn't a country code, as a phrase that follows the field name. `null` if the code is
 * valid.
 */
export function countryViolation(text: string): string | null {
  if (known.has(text)) return null;
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
