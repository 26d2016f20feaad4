// Codes and names of states and provinces. Payers enter names, and merchants use codes in tax registrations.
const names: Readonly<Record<string, string>> = {
  US: `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia
|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota
|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina
|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah
|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|PR Puerto Rico|GU Guam|VI Virgin Islands|AS American Samoa
|MP Northern Mariana Islands`,
  CA: `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut
|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`,
};

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toUpperCase();

const codes: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(names).map(([country, list]) => [
    country,
    new Map(
      list.split('|').flatMap((entry) => {
        const [code = '', ...words] = entry.trim().split(' ');
        return [
          [code, code],
          [plain(words.join(' ')), code],
        ] as const;
      }),
    ),
  ]),
);

/**
 * Returns a region code without the country. In the United States and Canada, accepts the code or name of a state or
 * province. Elsewhere, accepts codes with 1 to 3 letters and digits. Returns `null` for all other strings.
 */
export function regionCode(country: string, text: string): string | null {
  const own = plain(text).replace(new RegExp(`^${country}-`), '');
  const known = codes.get(country);
  if (known !== undefined) return known.get(own) ?? null;
  return /^[A-Z0-9]{1,3}$/.test(own) ? own : null;
}
