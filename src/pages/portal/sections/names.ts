/** The sections of the portal, by the last part of their addresses and in the order they are offered. */
export const sectionNames = [
  'overview',
  'usage',
  'plan',
  'seats',
  'addons',
  'credits',
  'cards',
  'invoices',
  'details',
  'cancel',
] as const;

export type SectionName = (typeof sectionNames)[number];

/** The section of an address; the first one where it names none that there is. */
export const sectionNamed = (name: string): SectionName =>
  sectionNames.find((each) => each === name) ?? 'overview';
