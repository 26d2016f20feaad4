import { plural } from '../language.ts';

/** What the list of features says. */
export const features = {
  text: 'What plans contain: capabilities, usage that is counted, seats and quotas.',
  empty: 'There are no features yet',
  new: 'New feature',
  create: 'Create feature',
  type: 'Type',
  unitName: 'Name of one unit',
  unitHelp: 'As it stands behind a price: “per call”.',
  usedIn: 'Used in',
  plans: (count: number) => `${count} ${plural(count, 'plan', 'plans')}`,
  usedBy: (names: string) => `Used by ${names}.`,
  unused: 'Not used yet',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'Your software gets no answer for its code any more. This cannot be undone.',
};
