/** Names of the portal's sections, in order. Each name is the last path segment of its URL. */
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

/** Returns the section with a name. Unknown names return the first section. */
export const sectionNamed = (name: string): SectionName =>
  sectionNames.find((each) => each === name) ?? 'overview';
