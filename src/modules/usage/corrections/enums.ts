import { builder } from '../../../graphql/reading/builder.ts';

export const UsageCorrectionKind = builder.enumType('UsageCorrectionKind', {
  description: 'Type of a correction.',
  values: {
    void: { description: 'The usage event was withdrawn.' },
    replace: { description: 'The usage event was withdrawn, and another event was recorded in its place.' },
  } as const,
});
