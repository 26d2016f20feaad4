// Example postal codes that define the formats: a digit stands for any digit, and a letter for any letter. A country
// with two formats has two examples.

const examples: Readonly<Record<string, string>> = Object.fromEntries(
  'AR B1636FDA|1636 AT 1010 AU 2000 BE 1000 BG 1000 BR 01310-100|01310100 CA K1A 0B1|K1A0B1 CH 8001 CL 8320000|832-0000 CN 100000 CO 110111 CR 10101 CY 1010 CZ 110 00|11000 DE 10117 DK 1050 DO 10101 EC 170150 EE 10111 ES 28013 FI 00100 FR 75001 GR 105 57|10557 GT 01001 HR 10000 HU 1051 ID 10110 IL 9414219 IN 110001|110 001 IS 101 IT 00184 JP 100-0001|1000001 KR 04524 LI 9490 LT LT-01100|01100 LU 1009|L-1009 LV LV-1050 MX 06000 MY 50050 NL 1012 AB|1012AB NO 0150 NZ 6011 PE 15001 PH 1000 PL 00-001 PT 1000-001 RO 010011 RS 11000 SA 11564 SE 111 20|11120 SG 018956 SI 1000 SK 811 01|81101 TH 10200 TR 06420 TW 100|100001 UA 01001 US 94105|94105-1234 UY 11000 VN 100000 ZA 8001'
    .split(/ (?=[A-Z]{2} )/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);

export type PostalForm = {
  readonly example: string;
  /** True if the postal code consists only of digits. */
  readonly isNumeric: boolean;
  readonly isLike: (text: string) => boolean;
};

const shapeOf = (text: string): string => text.toUpperCase().replace(/\d/g, '0').replace(/[A-Z]/g, 'A');

/** British codes combine letters and digits in six ways, such as M1 1AA and EC1A 1BB. */
const british = /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i;

/** Returns the postal code format of a country. `null` if unknown. */
export function postalFormOf(country: string): PostalForm | null {
  if (country === 'GB')
    return { example: 'SW1A 1AA', isNumeric: false, isLike: (text) => british.test(text.trim()) };
  const forms = examples[country]?.split('|');
  const [example] = forms ?? [];
  if (forms === undefined || example === undefined) return null;
  const shapes = forms.map(shapeOf);
  return {
    example,
    isNumeric: /^\d+$/.test(example),
    isLike: (text) => shapes.includes(shapeOf(text.trim())),
  };
}
